-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Passkeys with which operators sign in to the console.
CREATE TABLE "OperatorPasskey" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "operator" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "label" TEXT COLLATE "C" NOT NULL,
    "publicKey" TEXT COLLATE "C" NOT NULL,
    "counter" BIGINT NOT NULL,
    "origin" TEXT COLLATE "C" NOT NULL,
    "seal" TEXT COLLATE "C",
    "isConfirmed" BOOLEAN NOT NULL DEFAULT true,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "usedAt" TIMESTAMP(3),
    CONSTRAINT "OperatorPasskey_counter" CHECK ("counter" BETWEEN 0 AND 4294967295),
    CONSTRAINT "OperatorPasskey_seal" CHECK (("operator" = 'console:password') = ("seal" IS NOT NULL))
);
