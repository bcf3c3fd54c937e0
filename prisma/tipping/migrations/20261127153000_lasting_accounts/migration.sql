-- What a move names stays, and keeps its id: accounts, as entries before them. Where nothing goes away, it is enough that it was
-- there once.

CREATE TRIGGER "Account_no_delete" BEFORE DELETE ON "Account" BEGIN SELECT RAISE(ABORT, 'an account is never deleted'); END;
CREATE TRIGGER "Account_no_new_id" BEFORE UPDATE OF "id" ON "Account" BEGIN SELECT RAISE(ABORT, 'an account keeps its id'); END;

-- On PostgreSQL: references of moves, checked once for all moves of a statement.
