-- Which reactions tip in a server, and what their givers let them give in a day.
ALTER TABLE "Server" ADD COLUMN "emojiTips" TEXT NOT NULL DEFAULT '[]';
ALTER TABLE "Member" ADD COLUMN "emojiCeiling" BIGINT CHECK ("emojiCeiling" > 0);
