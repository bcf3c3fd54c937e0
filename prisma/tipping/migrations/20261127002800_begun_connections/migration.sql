-- A connection that a member began on the page of their wallet: what the way back must name, and the secret that was made for it.
ALTER TABLE "WalletPass" ADD COLUMN "state" TEXT;
ALTER TABLE "WalletPass" ADD COLUMN "sealed" TEXT;
