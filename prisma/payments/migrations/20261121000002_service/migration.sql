-- The service: projects and users, receiving, sending, idempotency and the outbox.

CREATE TABLE "Project" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL
);

CREATE TABLE "ApiKey" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME,
    "revokedAt" DATETIME,
    CONSTRAINT "ApiKey_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "CallbackSecret" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "retiredAt" DATETIME,
    CONSTRAINT "CallbackSecret_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "User" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "gamertag" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL
);

CREATE TABLE "Name" (
    "folded" TEXT NOT NULL PRIMARY KEY,
    "display" TEXT NOT NULL,
    "userId" TEXT,
    "staticChargeId" TEXT,
    "reservedUntil" DATETIME
);

CREATE TABLE "SignInToken" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "usedAt" DATETIME
);

CREATE TABLE "Session" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

CREATE TABLE "Invoice" (
    "paymentHash" TEXT NOT NULL PRIMARY KEY,
    "request" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "resourceId" TEXT NOT NULL,
    "payeeKind" TEXT NOT NULL,
    "payeeId" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "status" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "comment" TEXT NOT NULL DEFAULT '',
    "receivedAmount" BIGINT,
    "preimage" TEXT,
    "settledAt" DATETIME,
    "settledBy" TEXT,
    "nextLookUpAt" DATETIME,
    "lookUps" INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE "Charge" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT,
    "userId" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "description" TEXT NOT NULL,
    "internalId" TEXT NOT NULL,
    "callbackUrl" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "invoiceRequest" TEXT NOT NULL,
    "paymentHash" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "confirmedAt" DATETIME
);

CREATE TABLE "StaticCharge" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "minAmount" BIGINT NOT NULL,
    "maxAmount" BIGINT NOT NULL,
    "description" TEXT NOT NULL,
    "successMessage" TEXT NOT NULL,
    "allowedSlots" INTEGER NOT NULL,
    "slots" INTEGER NOT NULL DEFAULT 0,
    "internalId" TEXT NOT NULL,
    "callbackUrl" TEXT NOT NULL,
    "identifier" TEXT,
    "status" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL
);

CREATE TABLE "StaticChargePayment" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "staticChargeId" TEXT NOT NULL,
    "slot" INTEGER NOT NULL,
    "paymentHash" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "comment" TEXT NOT NULL,
    "settledAt" DATETIME NOT NULL
);

CREATE TABLE "Payment" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "payerKind" TEXT NOT NULL,
    "payerId" TEXT NOT NULL,
    "withdrawalRequestId" TEXT,
    "invoice" TEXT NOT NULL DEFAULT '',
    "destination" TEXT NOT NULL DEFAULT '',
    "paymentHash" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "maxFee" BIGINT NOT NULL,
    "fee" BIGINT,
    "preimage" TEXT,
    "status" TEXT NOT NULL,
    "failure" TEXT NOT NULL DEFAULT '',
    "description" TEXT NOT NULL,
    "internalId" TEXT NOT NULL,
    "callbackUrl" TEXT NOT NULL,
    "metadata" TEXT NOT NULL DEFAULT '',
    "tlvRecords" TEXT NOT NULL DEFAULT '',
    "keysendId" TEXT,
    "createdAt" DATETIME NOT NULL,
    "confirmedAt" DATETIME,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "nextLookUpAt" DATETIME
);

CREATE TABLE "GamertagPayment" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "transactionId" TEXT NOT NULL,
    "payerKind" TEXT NOT NULL,
    "payerId" TEXT NOT NULL,
    "receiverId" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "comment" TEXT NOT NULL,
    "settledAt" DATETIME NOT NULL
);

CREATE TABLE "WithdrawalRequest" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "maxFee" BIGINT NOT NULL,
    "fee" BIGINT,
    "description" TEXT NOT NULL,
    "internalId" TEXT NOT NULL,
    "callbackUrl" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

CREATE TABLE "Voucher" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "code" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "fee" BIGINT NOT NULL,
    "description" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME,
    "createTransactionId" TEXT NOT NULL,
    "redeemedAt" DATETIME,
    "redeemedById" TEXT,
    "redeemedTransactionId" TEXT,
    "revokedAt" DATETIME,
    "revokedById" TEXT,
    "revokedTransactionId" TEXT,
    CONSTRAINT "Voucher_one_end" CHECK ("redeemedAt" IS NULL OR "revokedAt" IS NULL)
);

CREATE TABLE "IdempotencyKey" (
    "projectId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "requestHash" TEXT NOT NULL,
    "status" INTEGER,
    "body" TEXT,
    "paymentId" TEXT,
    "movedMoney" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("projectId", "key")
);

CREATE TABLE "Callback" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "messageId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "receiver" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "nextAttemptAt" DATETIME,
    "deliveredAt" DATETIME,
    "parkedAt" DATETIME,
    "lastError" TEXT NOT NULL DEFAULT ''
);

CREATE TABLE "Cursor" (
    "backend" TEXT NOT NULL PRIMARY KEY,
    "value" TEXT NOT NULL,
    "at" DATETIME NOT NULL
);

CREATE TABLE "UnclaimedReceipt" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "paymentHash" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "reason" TEXT NOT NULL,
    "settledAt" DATETIME NOT NULL
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
