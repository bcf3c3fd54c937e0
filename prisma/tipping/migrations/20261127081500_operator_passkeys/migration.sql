-- Passkeys with which operators sign in to the console.
CREATE TABLE "OperatorPasskey" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "operator" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "publicKey" TEXT NOT NULL,
    "counter" BIGINT NOT NULL,
    "origin" TEXT NOT NULL,
    "seal" TEXT,
    "isConfirmed" BOOLEAN NOT NULL DEFAULT true,
    "createdAt" DATETIME NOT NULL,
    "usedAt" DATETIME,
    CONSTRAINT "OperatorPasskey_counter" CHECK ("counter" BETWEEN 0 AND 4294967295),
    CONSTRAINT "OperatorPasskey_seal" CHECK (("operator" = 'console:password') = ("seal" IS NOT NULL))
);
