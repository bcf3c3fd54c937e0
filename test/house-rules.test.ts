import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { checkHouseRules } from '../scripts/check-house-rules.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** The files of a small project that follows every rule. */
const GOOD: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    scripts: { bench: 'node src/lib/measure.ts' },
    dependencies: { zod: '4', 'discord.js': '14', '@discordjs/rest': '2' },
  }),
  'src/cli/start.ts':
    "import '../bot/bot.ts'\nimport '../payments-service/service.ts'\nconst port = process.env.PORT\n",
  'src/bot/bot.ts':
    "import 'discord.js'\nimport '@discordjs/rest'\nimport '../tipping/tipping.ts'\nexport * from './reply.ts'\n",
  'src/bot/reply.ts': 'export const reply = 1\n',
  'src/tipping/tipping.ts': "import type { Clock } from '../lib/clock.ts'\nimport './generated/client.ts'\n",
  'src/tipping/generated/client.ts': 'export const now = Date.now()\n',
  'clients/typescript/dist/index.js': 'export const now = Date.now()\n',
  'src/payments-service/service.ts':
    "import { z } from 'zod'\nimport '../lib/clock.ts'\nconst page = new URL('./core/worker.ts', import.meta.url)\n",
  'src/payments-service/core/worker.ts': 'export const socket = { setTimeout(ms: number) {} }\nsocket.setTimeout(5)\n',
  'src/lib/clock.ts':
    'export interface Clock { now(): number }\nexport const now = () => Date.now()\nsetTimeout(now, 5)\n',
  'src/lib/entropy.ts': "import { randomUUID } from 'node:crypto'\nexport const uuid = () => randomUUID()\n",
  'src/lib/measure.ts': "import './entropy.ts'\n",
  'src/playground/page/main.js': 'setTimeout(() => {}, 5)\n',
  'scripts/make.ts': 'console.log(process.env.HOME)\n',
  'test/lib/clock.test.ts': `import '../support/wait.ts'\ndescribe('a', () => {${'\n'.repeat(80)}})\n// Needs a server.\nit.skip('x', () => {})\n`,
  'test/support/wait.ts': 'export const wait = () => setTimeout(() => {}, 5)\n',
}

/** Returns the checker's report on the good project after some files were changed or added. */
function broken(changes: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'house-rules-'))
  folders.push(root)
  for (const [path, text] of Object.entries({ ...GOOD, ...changes })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return checkHouseRules(root)
}

/** The files of a tipping module with a folder in each of four layers. */
const TIPPING_IN_LAYERS: Readonly<Record<string, string>> = {
  'src/tipping/tipping.ts':
    "import './generated/client.ts'\nimport './rain/let-it-rain.ts'\nimport './claims/claim-tips.ts'\nimport '../lib/clock.ts'",
  'src/tipping/rain/let-it-rain.ts': "import '../tips/send-tip.ts'\nimport '../engine/cards/card-book.ts'",
  'src/tipping/tips/send-tip.ts': "import '../engine/cards/cards.ts'\nimport '../core/activity.ts'",
  'src/tipping/claims/claim-tips.ts': "import '../core/activity.ts'",
  'src/tipping/engine/cards/card-book.ts': "import type { Card } from './cards.ts'\nimport '../../core/activity.ts'",
  'src/tipping/engine/cards/cards.ts': 'export type Card = 1',
  'src/tipping/core/activity.ts': '',
}

/** Returns the text of a file with a skipped or focused test, of which this project has none. */
const switched = (test: string, by: string) => `${test}.${by}('x', f)`

describe('the house rules', () => {
  it('are all satisfied by a small sample project', () => {
    expect(broken({})).toEqual([])
  })

  it('allow an import cycle among test files if one import is type-only', () => {
    const files = {
      'test/lib/clock.test.ts': "import '../support/wait.ts'",
      'test/support/wait.ts': "import type { B } from './hurry.ts'\nexport const a = 1",
      'test/support/hurry.ts': "import { a } from './wait.ts'\nexport type B = typeof a",
    }
    expect(broken(files)).toEqual([])
  })

  it('let files import from their own layer and from lower layers', () => {
    expect(broken(TIPPING_IN_LAYERS)).toEqual([])
  })
})

describe('a broken house rule', () => {
  const long = (lines: number) => `{\n${'  1\n'.repeat(lines - 2)}}`

  const cases: Array<[string, Record<string, string>, string | RegExp]> = [
    ...forImports(),
    [
      'a circle of imports',
      {
        'src/bot/bot.ts': "import './reply.ts'\nimport '../tipping/tipping.ts'",
        'src/bot/reply.ts': "import { type A, b } from './bot.ts'",
      },
      'src/bot/bot.ts: imported in a circle: src/bot/bot.ts → src/bot/reply.ts → src/bot/bot.ts',
    ],
    [
      'a circle of type imports',
      {
        'src/bot/bot.ts': "import './reply.ts'\nimport '../tipping/tipping.ts'",
        'src/bot/reply.ts': "import type { B } from './bot.ts'\nexport type { C } from './bot.ts'",
      },
      'src/bot/bot.ts: imported in a circle: src/bot/bot.ts → src/bot/reply.ts → src/bot/bot.ts',
    ],
    ...forOrder(),
    [
      'a web server in the domain',
      { 'src/tipping/tipping.ts': "import 'node:http'\nimport './generated/client.ts'\nimport '../lib/clock.ts'" },
      /^src\/tipping\/tipping.ts: only .* may import node:http$/,
    ],
    [
      'an emulator that reaches into the bot',
      {
        'src/discord-emulator/e.ts': "import '../bot/bot.ts'",
        'scripts/make.ts': "import '../src/playground/emulator/e.ts'",
      },
      'src/discord-emulator/e.ts: src/discord-emulator may not import src/bot/bot.ts',
    ],
    [
      'a judge that knows what it judges',
      {
        'scripts/make.ts': "import '../proof/judge/judge.ts'",
        'proof/judge/judge.ts': "import type { Clock } from '../../src/lib/clock.ts'",
      },
      'proof/judge/judge.ts: proof/judge judges what it may not know, and may not import src/lib/clock.ts',
    ],
    ['a dead file', { 'src/bot/old.ts': '' }, 'src/bot/old.ts: a dead file: no entry point reaches it'],
    ['a dead file among tests', { 'test/support/old.ts': '' }, 'test/support/old.ts: a dead file: no test reaches it'],
    ['a dead script', { 'scripts/inner/old.ts': '' }, 'scripts/inner/old.ts: a dead file: no entry point reaches it'],
    ['an overlong file', { 'test/long.test.ts': '1\n'.repeat(401) }, 'test/long.test.ts: 401 lines, 400 at most'],
    [
      'an overlong page',
      { 'src/playground/page/a.css': 'a{}\n'.repeat(401) },
      /^src\/playground\/page\/a.css: 401 lines/,
    ],
    [
      'an overlong function',
      { 'src/bot/reply.ts': `1\nfunction f() ${long(71)}` },
      /^src\/bot\/reply.ts:2: a function of 71 lines/,
    ],
    [
      'an overlong closure',
      { 'src/bot/reply.ts': `const f = () => ${long(71)}` },
      /:1: a function of 71 lines, 70 at most$/,
    ],
    ['an overlong method', { 'src/bot/reply.ts': `class A { f() ${long(71)} }` }, /:1: a function of 71 lines/],
    [
      'an overlong test',
      { 'test/a.test.ts': `it('x', () => ${long(71)})` },
      /^test\/a.test.ts:1: a function of 71 lines/,
    ],
    ['a name in camel case', { 'scripts/makeIt.ts': '' }, 'scripts/makeIt.ts: the name is not kebab-case'],
    [
      'a file that is called utils',
      { 'test/utils.test.ts': '' },
      'test/utils.test.ts: "utils" does not say what is inside',
    ],
    [
      'a file that is called a manager',
      { 'scripts/tip-manager.ts': '' },
      'scripts/tip-manager.ts: "tip-manager" does not say what is inside',
    ],
    [
      'a folder that is called helpers',
      { 'test/helpers/a.test.ts': '' },
      'test/helpers/a.test.ts: "helpers" does not say what is inside',
    ],
    [
      'a skipped test',
      { 'test/a.test.ts': `\n${switched('it', 'skip')}` },
      'test/a.test.ts:2: .skip without a comment that says why',
    ],
    ['a focused test', { 'test/a.test.ts': switched('describe', 'only') }, /:1: \.only without a comment/],
    ['an unwritten test', { 'test/a.test.ts': switched('it.concurrent', 'todo') }, /:1: \.todo without a comment/],
  ]

  function forImports(): typeof cases {
    const says = (path: string, what: string) => `${path}: ${what}`
    return [
      [
        'an import by the bot of a file that is not public',
        { 'src/tipping/send.ts': '', 'src/bot/reply.ts': "import '../tipping/send.ts'" },
        says('src/bot/reply.ts', 'src/bot may not import src/tipping/send.ts'),
      ],
      [
        'a leaf that imports a building',
        { 'src/lib/measure.ts': "import './entropy.ts'\nimport '../bot/reply.ts'" },
        says('src/lib/measure.ts', 'src/lib may not import src/bot/reply.ts'),
      ],
      [
        'a leaf that re-exports from a building',
        { 'src/lib/measure.ts': "import './entropy.ts'\nexport { reply } from '../bot/reply.ts'" },
        says('src/lib/measure.ts', 'src/lib may not import src/bot/reply.ts'),
      ],
      [
        'a leaf that imports a building dynamically',
        { 'src/lib/measure.ts': "import './entropy.ts'\nawait import('../bot/reply.ts')" },
        says('src/lib/measure.ts', 'src/lib may not import src/bot/reply.ts'),
      ],
      [
        'a leaf that imports a type from a building',
        { 'src/lib/measure.ts': "import './entropy.ts'\nimport type { A } from '../bot/reply.ts'" },
        says('src/lib/measure.ts', 'src/lib may not import src/bot/reply.ts'),
      ],
      [
        'an import of another building’s database',
        { 'src/payments-service/core/worker.ts': "import '../../tipping/generated/client.ts'" },
        says(
          'src/payments-service/core/worker.ts',
          'src/payments-service may not import src/tipping/generated/client.ts',
        ),
      ],
      [
        'product code that imports from a test',
        { 'src/bot/reply.ts': "import '../../test/support/wait.ts'" },
        says('src/bot/reply.ts', 'src/bot may not import test/support/wait.ts'),
      ],
      [
        'an unknown building',
        { 'src/shed/shed.ts': '', 'scripts/make.ts': "import '../src/shed/shed.ts'" },
        says('src/shed/shed.ts', 'src/shed is no building of docs/ARCHITECTURE.md'),
      ],
      [
        'discord.js outside the bot',
        { 'src/lib/entropy.ts': "import 'discord.js'" },
        says('src/lib/entropy.ts', 'only src/bot may import discord.js'),
      ],
      [
        'a part of discord.js outside the bot',
        { 'src/lib/entropy.ts': "import '@discordjs/rest/web'" },
        says('src/lib/entropy.ts', 'only src/bot may import @discordjs/rest'),
      ],
      [
        'an undeclared package',
        { 'src/lib/entropy.ts': "import 'left-pad'" },
        says('src/lib/entropy.ts', 'left-pad is not among the dependencies in package.json'),
      ],
    ]
  }

  it.each(cases)('is reported: %s', (_name, changes, expected) => {
    const found = broken(changes)
    expect(found).toContainEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected))
  })

  it.each([
    ['process.env.TOKEN', 'process.env'],
    ['Date.now()', 'Date.now'],
    ['later(Date.now)', 'Date.now'],
    ['new Date()', 'new Date()'],
    ['performance.now()', 'performance.now'],
    ['setTimeout(f, 5)', 'setTimeout'],
    ['globalThis.setInterval(f, 5)', 'setInterval'],
    ["import { setTimeout as wait } from 'node:timers/promises'", 'node:timers/promises'],
    ['Math.random()', 'Math.random'],
    ["import { randomUUID as id } from 'node:crypto'", 'randomUUID'],
    ['crypto.randomUUID()', 'crypto.randomUUID'],
  ])('is reported if a file of the bot reaches for the outside world: %s', (code, name) => {
    const found = broken({ 'src/bot/reply.ts': code })
    expect(found).toEqual([expect.stringMatching(/^src\/bot\/reply\.ts:.*only src\/.* may reach for/)])
    expect(found[0]).toContain(`${name}: only`)
  })

  it.each([
    'clock.now()',
    'new Date(5)',
    'socket.setTimeout(5)',
    'const a = { setTimeout: 5 }',
    '// Date.now()',
    "'Date.now()'",
  ])('is not reported for harmless code: %s', (code) => expect(broken({ 'src/bot/reply.ts': code })).toEqual([]))

  it.each([
    [
      'a name',
      'src/bot/reply.ts',
      'export const keptReply = 1',
      /^src\/bot\/reply\.ts:1: "keptReply" is an old word; say notSent/,
    ],
    ['a type', 'src/bot/reply.ts', 'interface Watch { a: 1 }', /:1: "Watch" is an old word; say PollJob/],
    [
      'a constant',
      'scripts/make.ts',
      'const MOST_TIPS = 5',
      /^scripts\/make\.ts:1: "MOST_TIPS" is an old word; say MAX_/,
    ],
    ['a private field', 'src/bot/reply.ts', 'class A { #door = 1 }', /"door" is an old word; say api, routes/],
    [
      'a test',
      'test/lib/clock.test.ts',
      "import '../support/wait.ts'\nconst tally = 1",
      /^test\/lib\/clock\.test\.ts:2: "tally"/,
    ],
    [
      'a comment',
      'src/bot/reply.ts',
      '// It needs a second word.',
      /:1: "second word" is an old word; say confirmation/,
    ],
    ['a document', 'docs/GUIDE.md', 'one\nA parked tip goes back.', /^docs\/GUIDE\.md:2: "parked tip" is an old word/],
    [
      'a schema',
      'prisma/tipping/schema.prisma',
      '/// Found by oversight.',
      /^prisma\/tipping\/schema\.prisma:1: "oversight"/,
    ],
  ])('is reported if an old word is in %s', (_where, path, text, expected) => {
    expect(broken({ [path]: text })).toContainEqual(expect.stringMatching(expected))
  })

  it.each(["const state = 'kept'", '// It is kept at the door.', 'interface Outstanding { typeface: 1 }'])(
    'is not reported where an old word is allowed: %s',
    (code) => expect(broken({ 'src/bot/reply.ts': code })).toEqual([]),
  )

  it('cannot be detected in invalid TypeScript, and an error names the file', () => {
    expect(() => broken({ 'src/bot/reply.ts': 'const = 5' })).toThrow('src/bot/reply.ts: ')
  })
})

function forOrder(): Array<[string, Record<string, string>, string | RegExp]> {
  return [
    [
      'a circle of folders without a circle of files',
      {
        'src/bot/bot.ts': "import './tips/card.ts'\nimport './claims/card.ts'\nimport '../tipping/tipping.ts'",
        'src/bot/tips/card.ts': "import '../claims/button.ts'",
        'src/bot/tips/not-sent.ts': '',
        'src/bot/claims/card.ts': "import type { A } from '../tips/not-sent.ts'",
        'src/bot/claims/button.ts': '',
      },
      'src/bot/tips: folders in a circle: src/bot/tips → src/bot/claims → src/bot/tips ' +
        '(src/bot/tips/card.ts imports src/bot/claims/button.ts; src/bot/claims/card.ts imports src/bot/tips/not-sent.ts)',
    ],
    [
      'a circle of a folder and a folder inside it',
      {
        'src/bot/bot.ts': "import './cards/board.ts'\nimport '../tipping/tipping.ts'",
        'src/bot/cards/board.ts': "import './inner/draw.ts'",
        'src/bot/cards/inner/draw.ts': "import type { A } from '../colour.ts'",
        'src/bot/cards/colour.ts': '',
      },
      /^src\/bot\/cards: folders in a circle: src\/bot\/cards → src\/bot\/cards\/inner → src\/bot\/cards /,
    ],
    [
      'a type from a higher layer',
      {
        ...TIPPING_IN_LAYERS,
        'src/tipping/core/activity.ts': "import type { Card } from '../engine/cards/cards.ts'",
      },
      'src/tipping/core/activity.ts: core may not import src/tipping/engine/cards/cards.ts (engine)',
    ],
    [
      'a noun that imports another',
      { ...TIPPING_IN_LAYERS, 'src/tipping/claims/claim-tips.ts': "import '../tips/send-tip.ts'" },
      'src/tipping/claims/claim-tips.ts: nouns may not import src/tipping/tips/send-tip.ts (nouns)',
    ],
    [
      'a room that no layer has',
      {
        ...TIPPING_IN_LAYERS,
        'src/tipping/tips/send-tip.ts': "import '../engine/cards/cards.ts'\nimport '../drawer/drawer.ts'",
        'src/tipping/drawer/drawer.ts': '',
      },
      'src/tipping/drawer/drawer.ts: no layer of src/tipping has this room (scripts/house-rules/layers.ts)',
    ],
  ]
}
