-- A server's wallet: a link on which a moderator connects it, and rewards that it pays.
ALTER TABLE "WalletPass" ADD COLUMN "guild" TEXT;
ALTER TABLE "Reward" ADD COLUMN "source" TEXT NOT NULL DEFAULT 'pool' CHECK ("source" IN ('pool', 'wallet'));
