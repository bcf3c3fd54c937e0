import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { judgeWeight, weigh } from '../../scripts/house-rules/weight.ts'

it('the count of code lines excludes texts and generated files', () => {
  const root = mkdtempSync(join(tmpdir(), 'weight-'))
  const files = {
    'src/a.ts': '// One.\n\n',
    'src/page/b.css': 'a {\n}\n',
    'src/texts.json': '{\n}\n',
    'src/generated/client.ts': '\n\n',
    'prisma/one/migrations/1/migration.sql': '-- One.\n',
    'prisma/one/postgres/migrations/1/migration.sql': '-- One.\n',
    'test/postgres/migrations.test.ts': '\n',
    'proof/mutants/room.txt': '\n',
    'scripts/c.sh': '\n',
    'docs/RELIABILITY.md': '\n\n',
    'docs/PERFORMANCE.md': '\n',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  expect(weigh(root)).toEqual({ product: 5, proof: 3, pages: 3 })
  rmSync(root, { recursive: true })
})

it.each([
  [{ product: 1000, proof: 1100, pages: 300 }, []],
  [{ product: 1000, proof: 1101, pages: 300 }, [/^test, proof and scripts: 1.101 lines/]],
  [{ product: 1000, proof: 0, pages: 301 }, [/^the pages about proof and speed: 301/]],
])('the weight %o is compared with its limits', (weight, broken) => {
  expect(judgeWeight(weight).broken).toEqual(broken.map((text) => expect.stringMatching(text)))
})
