-- Which network's sats the book counts. A book counts those of one network, for ever.

CREATE TABLE "BookNetwork" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "network" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    CONSTRAINT "BookNetwork_one" CHECK ("id" = 1),
    CONSTRAINT "BookNetwork_known" CHECK ("network" IN ('bitcoin', 'testnet', 'signet', 'regtest', 'simnet'))
);

CREATE TRIGGER "BookNetwork_is_for_ever" BEFORE UPDATE ON "BookNetwork"
BEGIN
    SELECT RAISE(ABORT, 'a book counts the sats of one network for ever');
END;

CREATE TRIGGER "BookNetwork_stays" BEFORE DELETE ON "BookNetwork"
BEGIN
    SELECT RAISE(ABORT, 'a book counts the sats of one network for ever');
END;
