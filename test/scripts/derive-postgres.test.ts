import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { derivedFiles } from '../../scripts/derive-postgres.ts'
import { sqlForPostgres } from '../../scripts/postgres/derive.ts'

const derived = derivedFiles('.')

/** Returns how often each engine's migrations of a book match the pattern: SQLite's, then PostgreSQL's. */
function counted(book: string, what: RegExp): number[] {
  const folders = [join('prisma', book, 'migrations'), join('prisma', book, 'postgres', 'migrations')]
  return folders.map((folder) => {
    const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.sql'))
      .map((path) => readFileSync(join(folder, path), 'utf8').replace(/--[^\n]*/g, ''))
    return texts.join('\n').match(what)?.length ?? 0
  })
}

describe('the files derived for PostgreSQL', () => {
  it('equal the output of `node scripts/derive-postgres.ts`', () => {
    const wrong = [...derived].filter(([path, text]) => readFileSync(path, 'utf8') !== text).map(([path]) => path)
    expect(wrong).toEqual([])
  })

  it('are the only files in their folders', () => {
    const there = ['payments', 'tipping'].flatMap((book) =>
      readdirSync(join('prisma', book, 'postgres'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    )
    expect(there.toSorted()).toEqual([...derived.keys()].toSorted())
  })

  it.each([
    ['tables', /CREATE TABLE /g],
    ['CHECKs', /\bCHECK \(/g],
    ['triggers for rows', /CREATE TRIGGER (?![^;]* FOR EACH STATEMENT)/g],
    ['foreign keys', /FOREIGN KEY/g],
    ['indexes', /CREATE (UNIQUE )?INDEX/g],
    ['partial indexes', /CREATE (UNIQUE )?INDEX [^;]* WHERE /g],
  ])('have as many %s as the SQLite schema', (_, what) => {
    for (const book of ['payments', 'tipping']) {
      const [sqlite, postgres] = counted(book, what)
      expect(postgres).toBe(sqlite)
      expect(sqlite).toBeGreaterThan(0)
    }
  })

  it('make the functions of later migrations search temporary tables last', () => {
    const trigger = `CREATE TRIGGER "Tip_stays" BEFORE DELETE ON "Tip" BEGIN SELECT RAISE(ABORT, 'no'); END;`
    expect(sqlForPostgres(trigger, '29990101000000_later')).toMatch(/CREATE TRIGGER .* SET search_path TO %I, pg_temp/s)
    expect(sqlForPostgres('DROP TABLE "Tip";', '29990101000000_later')).not.toContain('pg_temp')
  })

  it('are not written if the script cannot translate the SQL', () => {
    expect(() => sqlForPostgres('UPDATE "Tip" SET "createdAt" = strftime(\'%s\', \'now\');', '')).toThrow('strftime')
    expect(() =>
      sqlForPostgres('CREATE TRIGGER "a" INSTEAD OF INSERT ON "b" BEGIN SELECT RAISE(ABORT, \'no\'); END;', ''),
    ).toThrow('RAISE(')
  })
})
