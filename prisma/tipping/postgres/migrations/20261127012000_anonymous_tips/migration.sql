-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Tips of which a channel does not see who gave them, and servers that want none.
ALTER TABLE "Tip" ADD COLUMN "anonymous" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Server" ADD COLUMN "noAnonymousTips" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "Tip_anonymous_guild_createdAt_idx" ON "Tip"("guild", "createdAt") WHERE "anonymous";
