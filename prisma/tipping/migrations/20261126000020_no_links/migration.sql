-- Whether people may write links into what the bot shows in a server.
ALTER TABLE "Server" ADD COLUMN "noLinks" BOOLEAN NOT NULL DEFAULT false;
