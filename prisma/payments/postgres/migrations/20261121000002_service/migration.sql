-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- The service: projects and users, receiving, sending, idempotency and the outbox.

CREATE TABLE "Project" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "name" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL
);

CREATE TABLE "ApiKey" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "projectId" TEXT COLLATE "C" NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,
    "scopes" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3),
    "revokedAt" TIMESTAMP(3)
);

CREATE TABLE "CallbackSecret" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "projectId" TEXT COLLATE "C" NOT NULL,
    "secret" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "retiredAt" TIMESTAMP(3)
);

CREATE TABLE "User" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "gamertag" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL
);

CREATE TABLE "Name" (
    "folded" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "display" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C",
    "staticChargeId" TEXT COLLATE "C",
    "reservedUntil" TIMESTAMP(3)
);

CREATE TABLE "SignInToken" (
    "hash" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "userId" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "usedAt" TIMESTAMP(3)
);

CREATE TABLE "Session" (
    "hash" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "userId" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL
);

CREATE TABLE "Invoice" (
    "paymentHash" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "request" TEXT COLLATE "C" NOT NULL,
    "purpose" TEXT COLLATE "C" NOT NULL,
    "resourceId" TEXT COLLATE "C" NOT NULL,
    "payeeKind" TEXT COLLATE "C" NOT NULL,
    "payeeId" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "comment" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "receivedAmount" BIGINT,
    "preimage" TEXT COLLATE "C",
    "settledAt" TIMESTAMP(3),
    "settledBy" TEXT COLLATE "C",
    "nextLookUpAt" TIMESTAMP(3),
    "lookUps" INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE "Charge" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "projectId" TEXT COLLATE "C",
    "userId" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "description" TEXT COLLATE "C" NOT NULL,
    "internalId" TEXT COLLATE "C" NOT NULL,
    "callbackUrl" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL,
    "invoiceRequest" TEXT COLLATE "C" NOT NULL,
    "paymentHash" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "confirmedAt" TIMESTAMP(3)
);

CREATE TABLE "StaticCharge" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "projectId" TEXT COLLATE "C" NOT NULL,
    "minAmount" BIGINT NOT NULL,
    "maxAmount" BIGINT NOT NULL,
    "description" TEXT COLLATE "C" NOT NULL,
    "successMessage" TEXT COLLATE "C" NOT NULL,
    "allowedSlots" INTEGER NOT NULL,
    "slots" INTEGER NOT NULL DEFAULT 0,
    "internalId" TEXT COLLATE "C" NOT NULL,
    "callbackUrl" TEXT COLLATE "C" NOT NULL,
    "identifier" TEXT COLLATE "C",
    "status" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL
);

CREATE TABLE "StaticChargePayment" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "staticChargeId" TEXT COLLATE "C" NOT NULL,
    "slot" INTEGER NOT NULL,
    "paymentHash" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "comment" TEXT COLLATE "C" NOT NULL,
    "settledAt" TIMESTAMP(3) NOT NULL
);

CREATE TABLE "Payment" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "kind" TEXT COLLATE "C" NOT NULL,
    "payerKind" TEXT COLLATE "C" NOT NULL,
    "payerId" TEXT COLLATE "C" NOT NULL,
    "withdrawalRequestId" TEXT COLLATE "C",
    "invoice" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "destination" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "paymentHash" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "maxFee" BIGINT NOT NULL,
    "fee" BIGINT,
    "preimage" TEXT COLLATE "C",
    "status" TEXT COLLATE "C" NOT NULL,
    "failure" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "description" TEXT COLLATE "C" NOT NULL,
    "internalId" TEXT COLLATE "C" NOT NULL,
    "callbackUrl" TEXT COLLATE "C" NOT NULL,
    "metadata" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "tlvRecords" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "keysendId" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "confirmedAt" TIMESTAMP(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "nextLookUpAt" TIMESTAMP(3)
);

CREATE TABLE "GamertagPayment" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "transactionId" TEXT COLLATE "C" NOT NULL,
    "payerKind" TEXT COLLATE "C" NOT NULL,
    "payerId" TEXT COLLATE "C" NOT NULL,
    "receiverId" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "comment" TEXT COLLATE "C" NOT NULL,
    "settledAt" TIMESTAMP(3) NOT NULL
);

CREATE TABLE "WithdrawalRequest" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "projectId" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "maxFee" BIGINT NOT NULL,
    "fee" BIGINT,
    "description" TEXT COLLATE "C" NOT NULL,
    "internalId" TEXT COLLATE "C" NOT NULL,
    "callbackUrl" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL,
    "secret" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL
);

CREATE TABLE "Voucher" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "code" TEXT COLLATE "C" NOT NULL,
    "projectId" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "fee" BIGINT NOT NULL,
    "description" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3),
    "createTransactionId" TEXT COLLATE "C" NOT NULL,
    "redeemedAt" TIMESTAMP(3),
    "redeemedById" TEXT COLLATE "C",
    "redeemedTransactionId" TEXT COLLATE "C",
    "revokedAt" TIMESTAMP(3),
    "revokedById" TEXT COLLATE "C",
    "revokedTransactionId" TEXT COLLATE "C",
    CONSTRAINT "Voucher_one_end" CHECK ("redeemedAt" IS NULL OR "revokedAt" IS NULL)
);

CREATE TABLE "IdempotencyKey" (
    "projectId" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "requestHash" TEXT COLLATE "C" NOT NULL,
    "status" INTEGER,
    "body" TEXT COLLATE "C",
    "paymentId" TEXT COLLATE "C",
    "movedMoney" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMP(3) NOT NULL,

    PRIMARY KEY ("projectId", "key")
);

CREATE TABLE "Callback" (
    "id" BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    "messageId" TEXT COLLATE "C" NOT NULL,
    "projectId" TEXT COLLATE "C" NOT NULL,
    "resource" TEXT COLLATE "C" NOT NULL,
    "receiver" TEXT COLLATE "C" NOT NULL,
    "url" TEXT COLLATE "C" NOT NULL,
    "body" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "nextAttemptAt" TIMESTAMP(3),
    "deliveredAt" TIMESTAMP(3),
    "parkedAt" TIMESTAMP(3),
    "lastError" TEXT COLLATE "C" NOT NULL DEFAULT ''
);

CREATE TABLE "Cursor" (
    "backend" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "value" TEXT COLLATE "C" NOT NULL,
    "at" TIMESTAMP(3) NOT NULL
);

CREATE TABLE "UnclaimedReceipt" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "paymentHash" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "reason" TEXT COLLATE "C" NOT NULL,
    "settledAt" TIMESTAMP(3) NOT NULL
);

CREATE UNIQUE INDEX "ApiKey_hash_key" ON "ApiKey"("hash");

CREATE INDEX "ApiKey_projectId_idx" ON "ApiKey"("projectId");

CREATE INDEX "CallbackSecret_projectId_idx" ON "CallbackSecret"("projectId");

CREATE INDEX "Name_userId_idx" ON "Name"("userId");

CREATE UNIQUE INDEX "Invoice_request_key" ON "Invoice"("request");

CREATE INDEX "Invoice_resourceId_status_idx" ON "Invoice"("resourceId", "status");

CREATE INDEX "Invoice_nextLookUpAt_idx" ON "Invoice"("nextLookUpAt");

CREATE UNIQUE INDEX "Charge_paymentHash_key" ON "Charge"("paymentHash");

CREATE INDEX "Charge_status_expiresAt_idx" ON "Charge"("status", "expiresAt");

CREATE UNIQUE INDEX "StaticChargePayment_paymentHash_key" ON "StaticChargePayment"("paymentHash");

CREATE UNIQUE INDEX "StaticChargePayment_staticChargeId_slot_key" ON "StaticChargePayment"("staticChargeId", "slot");

CREATE UNIQUE INDEX "Payment_keysendId_key" ON "Payment"("keysendId");

CREATE INDEX "Payment_status_nextLookUpAt_idx" ON "Payment"("status", "nextLookUpAt");

CREATE INDEX "Payment_withdrawalRequestId_idx" ON "Payment"("withdrawalRequestId");

CREATE INDEX "Payment_payerKind_payerId_createdAt_idx" ON "Payment"("payerKind", "payerId", "createdAt");

CREATE UNIQUE INDEX "GamertagPayment_transactionId_key" ON "GamertagPayment"("transactionId");

CREATE UNIQUE INDEX "WithdrawalRequest_secret_key" ON "WithdrawalRequest"("secret");

CREATE INDEX "WithdrawalRequest_status_expiresAt_idx" ON "WithdrawalRequest"("status", "expiresAt");

CREATE UNIQUE INDEX "Voucher_code_key" ON "Voucher"("code");

CREATE UNIQUE INDEX "Callback_messageId_key" ON "Callback"("messageId");

CREATE INDEX "Callback_deliveredAt_parkedAt_nextAttemptAt_idx" ON "Callback"("deliveredAt", "parkedAt", "nextAttemptAt");

CREATE INDEX "Callback_resource_idx" ON "Callback"("resource");

-- While a payment may still settle, nobody else pays the same hash, and nobody else claims the same request.
CREATE UNIQUE INDEX "Payment_hash_live" ON "Payment"("paymentHash") WHERE "status" <> 'failed';
CREATE UNIQUE INDEX "Payment_withdrawal_live" ON "Payment"("withdrawalRequestId") WHERE "withdrawalRequestId" IS NOT NULL AND "status" <> 'failed';
ALTER TABLE "ApiKey" ADD CONSTRAINT "ApiKey_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "CallbackSecret" ADD CONSTRAINT "CallbackSecret_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
