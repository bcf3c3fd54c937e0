import type { Guard } from './guard.ts'

const NAMES = 'test/payments-service/wallet-page/vouchers-and-names.test.ts'

/** What an attacker ran into; `npm run prove -- attack` tries the same on a whole installation. */
export const ATTACK_GUARDS: readonly Guard[] = [
  {
    fault: 'names of authority',
    holds: 'nobody takes a name that speaks for the person who runs the place',
    places: [
      {
        file: 'src/payments-service/machines/names/gamertags.ts',
        text: 'const isOurs = !reserved && ',
        without: 'const isOurs = !reserved && reserved && ',
      },
    ],
    test: NAMES,
    named: 'speaks for the person who runs the place',
  },
  {
    fault: 'names of authority',
    holds: 'nor one that looks like it',
    places: [
      {
        file: 'src/lib/reserved-names.ts',
        text: 'LOOKS_LIKE.reduce((text, [pattern, letter]) => text.replaceAll(pattern, letter), plain)',
        without: 'plain',
      },
    ],
    test: 'test/lib/reserved-names.test.ts',
    named: 'is reserved as a look-alike',
  },
  {
    fault: 'names are collected',
    holds: 'a gamertag is changed a few times a month',
    places: [
      {
        file: 'src/payments-service/machines/names/gamertags.ts',
        text: 'lately.length >= MAX_RENAMES',
        without: 'lately.length < 0',
      },
    ],
    test: NAMES,
    named: 'three times in thirty days',
  },
  {
    fault: 'names are collected',
    holds: 'a project has so many identifiers',
    places: [
      {
        file: 'src/payments-service/machines/names/identifiers.ts',
        text: 'if (most !== 0 && ',
        without: 'if (most < 0 && ',
      },
    ],
    test: 'test/payments-service/operations/create-static-charge.test.ts',
    named: '409 too_many_identifiers',
  },
  {
    fault: 'names are collected',
    holds: 'users release their own former names, and only these',
    places: [
      {
        file: 'src/payments-service/machines/names/identifiers.ts',
        text: 'const where = { folded: fold(name), userId, reservedUntil: { not: null } }',
        without: 'const where = { folded: fold(name) }',
      },
    ],
    test: NAMES,
    named: 'released at the user’s own wish',
  },
  {
    fault: 'records of other servers',
    holds: 'a button with a record of another server does nothing',
    places: [
      {
        file: 'src/bot/discord/same-server.ts',
        text: 'if (home !== undefined && home !== guild)',
        without: 'if (home !== undefined && home === guild && guild === null)',
      },
    ],
    test: 'test/e2e/presses.test.ts',
    named: 'a record of another server',
  },
  {
    fault: 'records of other servers',
    holds: 'the same, of what is typed into a form',
    places: [
      {
        file: 'src/bot/discord/handlers.ts',
        text: 'const run = here(names, record, (asking)',
        without: "const run = here(names === undefined ? names : 'nothing', record, (asking)",
      },
    ],
    test: 'test/bot/same-server.test.ts',
    named: 'is compared before a form is read',
  },
  {
    fault: 'rain on people who have left',
    holds: 'Discord is asked who is there, and those who are not, or too new, get nothing',
    places: [
      {
        file: 'src/tipping/rain/let-it-rain.ts',
        text: 'return one !== undefined && isOld(',
        without: 'return one === undefined || isOld(',
      },
    ],
    test: 'test/tipping/rain/rain.test.ts',
    named: 'falls on nobody who has left',
  },
  {
    fault: 'rain on people who have left',
    holds: 'an account and a membership are as old as the server wants',
    places: [
      {
        file: 'src/tipping/rain/let-it-rain.ts',
        text: 'clock.now() - since.getTime() >= days * DAY_MS',
        without: 'since.getTime() >= days * 0',
      },
    ],
    test: 'test/tipping/rain/rain.test.ts',
    named: 'falls on nobody who has left',
  },
  {
    fault: 'drops of channels that not everybody sees',
    holds: 'the public API lists none of them',
    places: [
      {
        file: 'src/tipping/insights/open-drops.ts',
        text: 'open.filter(({ channel }) => isShown(channel))',
        without: 'open.filter(({ channel }) => isShown(channel) || true)',
      },
    ],
    test: 'test/e2e/public-api.test.ts',
    named: 'lists no drop of a channel',
  },
  {
    fault: 'a package that nobody chose',
    holds: 'package.json names exact versions',
    places: [{ file: 'package.json', text: '"zod": "4.6.7"', without: '"zod": "^4.6.7"' }],
    test: 'test/scripts/supply-chain.test.ts',
    named: 'is named with its exact version',
  },
  {
    fault: 'a package that nobody chose',
    holds: 'no package runs a script unless package.json names it',
    places: [{ file: 'package.json', text: '"@prisma/engines": false,', without: '' }],
    test: 'test/scripts/supply-chain.test.ts',
    named: 'runs a script of its own',
  },
]
