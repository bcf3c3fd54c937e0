-- Where a server has its moderation log told as it grows.
ALTER TABLE "Server" ADD COLUMN "logChannel" TEXT;
