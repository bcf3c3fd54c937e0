-- Members' Lightning Addresses: static charges of a variable amount, whose payments can be read back one by one.

CREATE TABLE "Address" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "member" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "address" TEXT,
    "least" BIGINT NOT NULL,
    "most" BIGINT NOT NULL,
    "key" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "chargeId" TEXT,
    "request" TEXT,
    "credited" INTEGER NOT NULL DEFAULT 0,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "Address_state" CHECK ("state" IN ('creating', 'live')),
    CONSTRAINT "Address_live" CHECK ("state" <> 'live' OR ("address" IS NOT NULL AND "chargeId" IS NOT NULL AND "request" IS NOT NULL)),
    CONSTRAINT "Address_name" CHECK ("name" = lower("name") AND length("name") BETWEEN 3 AND 64),
    CONSTRAINT "Address_bounds" CHECK ("least" >= 1 AND "most" >= "least"),
    CONSTRAINT "Address_credited" CHECK ("credited" >= 0)
);

CREATE TABLE "AddressPayment" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "addressId" TEXT NOT NULL,
    "slot" INTEGER NOT NULL,
    "amount" BIGINT NOT NULL,
    "comment" TEXT NOT NULL,
    "settledAt" DATETIME NOT NULL,
    CONSTRAINT "AddressPayment_addressId_fkey" FOREIGN KEY ("addressId") REFERENCES "Address" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
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
