import type { Explained } from './explained.ts'

const FOLDER = 'src/tipping/giveaways'

const NEVER_GONE = 'No giveaway is ever deleted, so there is one for each poll; the question is for the compiler.'

/** What survives the tests of giveaways, and why that is well. */
export const OF_GIVEAWAYS: readonly Explained[] = [
  {
    file: `${FOLDER}/decide-giveaway.ts`,
    code: 'await tx.pollJob.update({ where: { id }, data: { nextAt: null } })',
    changes: ['{ nextAt: null } => {}'],
    because: 'It only spares a poll, which would find the giveaway called off and be the last.',
  },
  {
    file: `${FOLDER}/draw-giveaway.ts`,
    code: `if (giveaway.entrantsHash === null) throw new Error(\`giveaway \${giveaway.id} is not sealed\`)`,
    changes: ['giveaway.entrantsHash === null => false', `\`giveaway \${giveaway.id} is not sealed\` => \`\``],
    because: 'Only sealed and drawn giveaways come here, and they have a hash; the question is for the compiler.',
  },
  {
    file: `${FOLDER}/draw-giveaway.ts`,
    code: "if (giveaway?.state !== 'sealed') return",
    changes: ['giveaway?.state => giveaway.state'],
    because: NEVER_GONE,
  },
  {
    file: `${FOLDER}/seal-giveaway.ts`,
    code: "if (giveaway?.state !== 'open') return",
    changes: ['giveaway?.state => giveaway.state'],
    because: NEVER_GONE,
  },
  {
    file: `${FOLDER}/seal-giveaway.ts`,
    code: "await schedulePoll(tx, { id, kind: 'giveaway', bornAt: giveaway.createdAt }, at)",
    changes: [`'giveaway' => ""`],
    because: 'The job is there since the giveaway was started; only its time is changed here, not its kind.',
  },
  {
    file: `${FOLDER}/poll-giveaway.ts`,
    code: "if (giveaway?.state === 'open') return await untilItsTime(context, giveaway)",
    changes: ['giveaway?.state => giveaway.state'],
    because: NEVER_GONE,
  },
  {
    file: `${FOLDER}/poll-giveaway.ts`,
    code: "if (giveaway?.state === 'sealed') return await untilPublished(context, giveaway)",
    changes: ['giveaway?.state => giveaway.state'],
    because: NEVER_GONE,
  },
  {
    file: `${FOLDER}/view-giveaway.ts`,
    code: 'const payouts = await database.read.payout.findMany({ where: { cause: { in: giveaway.wins.map((win) => win.id) } } })',
    changes: [
      '{ where: { cause: { in: giveaway.wins.map((win) => win.id) } } } => {}',
      '{ cause: { in: giveaway.wins.map((win) => win.id) } } => {}',
      '{ in: giveaway.wins.map((win) => win.id) } => {}',
    ],
    because: 'The filter only spares reading other rows: each prize looks its own up by its id.',
  },
]
