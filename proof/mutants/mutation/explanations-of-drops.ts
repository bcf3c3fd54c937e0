import type { Explained } from './explained.ts'

const CLAIM = 'src/tipping/drops/claim-drop.ts'
const OPEN = 'src/tipping/drops/open-drop.ts'

const ONLY_SPARES_A_BATCH =
  'It spares the batch that the unique key of drop and member would refuse. Either way, a person who presses twice at once is shown the share that they have.'

/** What survives the tests of drops, and why that is well. */
export const OF_DROPS: readonly Explained[] = [
  {
    file: CLAIM,
    code: "if (await tx.dropClaim.findFirst({ where: { dropId, member } })) throw new TippingRefusal('drop-taken', {})",
    changes: [`'drop-taken' => ""`, 'await tx.dropClaim.findFirst({ where: { dropId, member } }) => false'],
    because: ONLY_SPARES_A_BATCH,
  },
  {
    file: OPEN,
    code: "{ interaction: origin.interaction, verb: 'drop', content: [JSON.stringify(content)] },",
    changes: [`'drop' => ""`],
    because:
      'The verb only keeps the digests of different commands apart; no other command has a drop’s fields as its content.',
  },
  {
    file: OPEN,
    code: 'if (isRelative(command.amount) && attempt < 5) continue',
    changes: ['attempt < 5 => attempt <= 5'],
    because:
      'It bounds how often an amount such as `all` is read again while others take from the same balance; once more is as good.',
  },
  {
    file: OPEN,
    code: "for (let i = 0; i < MAX_CONCURRENT_CODES; i += 1) void context.activity.run('codes of a drop', makeCodes)",
    changes: [`'codes of a drop' => ""`],
    because: 'A word for the log beside an error that says where it comes from.',
  },
  {
    file: 'src/tipping/drops/poll-drop.ts',
    code: `if (count !== 1 || entered !== entrants.length) throw new Overtaken(\`drop \${id} has moved on\`)`,
    changes: [`\`drop \${id} has moved on\` => \`\``],
    because: 'It is caught, and nobody reads its words but in a debugger.',
  },
  {
    file: 'src/tipping/drops/puzzles.ts',
    code: 'text',
    changes: [
      String.raw`text .normalize('NFKD') // Accents only: marks of other scripts make other words. .replaceAll(/[\u0300-\u036f]/g, '') .normalize('NFKC') .toLowerCase() => text.normalize('NFKD') // Accents only: marks of other scripts make other words. .replaceAll(/[\u0300-\u036f]/g, '').normalize('NFKC').toUpperCase()`,
    ],
    because: 'Both sides are written alike before they are compared, in small letters or in capitals.',
  },
]
