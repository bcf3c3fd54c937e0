-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Members' Lightning Addresses: static charges of a variable amount, whose payments can be read back one by one.

CREATE TABLE "Address" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "member" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "address" TEXT COLLATE "C",
    "least" BIGINT NOT NULL,
    "most" BIGINT NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "token" TEXT COLLATE "C" NOT NULL,
    "body" TEXT COLLATE "C" NOT NULL,
    "provider" TEXT COLLATE "C" NOT NULL,
    "chargeId" TEXT COLLATE "C",
    "request" TEXT COLLATE "C",
    "credited" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "Address_state" CHECK ("state" IN ('creating', 'live')),
    CONSTRAINT "Address_live" CHECK ("state" <> 'live' OR ("address" IS NOT NULL AND "chargeId" IS NOT NULL AND "request" IS NOT NULL)),
    CONSTRAINT "Address_name" CHECK ("name" = lower("name") AND length("name") BETWEEN 3 AND 64),
    CONSTRAINT "Address_bounds" CHECK ("least" >= 1 AND "most" >= "least"),
    CONSTRAINT "Address_credited" CHECK ("credited" >= 0)
);

CREATE TABLE "AddressPayment" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "addressId" TEXT COLLATE "C" NOT NULL,
    "slot" INTEGER NOT NULL,
    "amount" BIGINT NOT NULL,
    "comment" TEXT COLLATE "C" NOT NULL,
    "settledAt" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "AddressPayment_amount" CHECK ("amount" >= 1),
    CONSTRAINT "AddressPayment_slot" CHECK ("slot" >= 1)
);

CREATE UNIQUE INDEX "Address_key_key" ON "Address"("key");
CREATE UNIQUE INDEX "Address_token_key" ON "Address"("token");
CREATE UNIQUE INDEX "Address_chargeId_key" ON "Address"("chargeId");
CREATE UNIQUE INDEX "Address_member_name_provider_key" ON "Address"("member", "name", "provider");
CREATE UNIQUE INDEX "AddressPayment_addressId_slot_key" ON "AddressPayment"("addressId", "slot");
-- A name is one member's only.
CREATE UNIQUE INDEX "Address_live_name" ON "Address"("name", "provider") WHERE "state" = 'live';
ALTER TABLE "AddressPayment" ADD CONSTRAINT "AddressPayment_addressId_fkey" FOREIGN KEY ("addressId") REFERENCES "Address" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
