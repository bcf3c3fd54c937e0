-- Drops whose shares a connected wallet pays as they are claimed, and payments from a wallet that a card of their own shows.

ALTER TABLE "Drop" ADD COLUMN "connection" TEXT;
ALTER TABLE "WalletPayment" ADD COLUMN "card" TEXT;
