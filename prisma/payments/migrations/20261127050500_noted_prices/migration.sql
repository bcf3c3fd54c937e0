-- What a bitcoin cost, every ten minutes: so that a list can say what a booking was worth at its time.
CREATE TABLE "NotedPrice" (
    "currency" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    "price" TEXT NOT NULL,
    PRIMARY KEY ("currency", "at")
);
