-- A charge may credit its project's own wallet: it names whose wallet it credits as its invoice does.

ALTER TABLE "Charge" RENAME COLUMN "userId" TO "payeeId";
ALTER TABLE "Charge" ADD COLUMN "payeeKind" TEXT NOT NULL DEFAULT 'user';
