import type { Explained } from './explained.ts'

const FOLDER = 'src/tipping/giveaways'

const NEVER_GONE = 'No giveaway is ever deleted, so there is one for each poll; the question is for the compiler.'

const NOT_ANOTHERS_NAME =
  'The verb only keeps the digests of different commands apart; an interaction belongs to one command, and the rest of its content differs from all others.'
const ENDS_ANYWAY =
  'It bounds how often an amount such as `all` is read again while others take from the same balance; when they stop, it ends by itself, with the same refusal or the same giveaway.'

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
  {
    file: `${FOLDER}/view-giveaway.ts`,
    code: 'return found.map((giveaway) => view(giveaway, []))',
    changes: ['[] => ["Stryker was here"]'],
    because: 'A payout is looked up by its prize; what is none is found for none.',
  },
  {
    file: `${FOLDER}/view-giveaway.ts`,
    code: 'if (seed === undefined || entrantsHash === undefined || endedAt === undefined) {',
    changes: [
      'seed === undefined || entrantsHash === undefined => seed === undefined && entrantsHash === undefined',
      'seed === undefined => false',
      'entrantsHash === undefined => false',
      'endedAt === undefined => false',
    ],
    because: 'A view has all three once it was drawn, and lacks the seed until then; the rest is for the compiler.',
  },
  {
    file: `${FOLDER}/poll-giveaway.ts`,
    code: 'const sealedForMs = context.clock.now() - (sealedAt?.getTime() ?? 0)',
    changes: ['sealedAt?.getTime => sealedAt.getTime'],
    because: 'What is sealed has its time; the question is for the compiler.',
  },
  {
    file: `${FOLDER}/poll-giveaway.ts`,
    code: 'const published = card === null || card.shown > 0',
    changes: ['card === null => false'],
    because: 'The seal makes this card, so it is there; the question is for the compiler.',
  },
  {
    file: `${FOLDER}/poll-giveaway.ts`,
    code: "if (giveaway?.state === 'sealed') return await untilPublished(context, giveaway)",
    changes: ["giveaway?.state === 'sealed' => true"],
    because: 'Drawing does nothing to what is drawn already, or was called off.',
  },
  {
    file: `${FOLDER}/draw-giveaway.ts`,
    code: "if (giveaway?.state !== 'sealed') return",
    changes: ["giveaway?.state !== 'sealed' => false"],
    because: 'Another guard stands behind it: the journal refuses a second draw of the same prizes.',
  },
  {
    file: `${FOLDER}/start-giveaway.ts`,
    code: 'if (isRelative(command.prize) && attempt < 5) continue',
    changes: ['isRelative(command.prize) && attempt < 5 => isRelative(command.prize) || attempt < 5'],
    because: 'A sum that is missing is missing five times, with the same refusal at the end.',
  },
  {
    file: `${FOLDER}/poll-giveaway.ts`,
    code: 'if (!published && sealedForMs < PUBLISHING_TIMEOUT_MS) return inMs(sealedForMs < 10_000 ? 250 : 5_000)',
    changes: [
      'sealedForMs < PUBLISHING_TIMEOUT_MS => sealedForMs <= PUBLISHING_TIMEOUT_MS',
      'sealedForMs < 10_000 => true',
      'sealedForMs < 10_000 => sealedForMs <= 10_000',
    ],
    because: 'It only says how often it is looked at meanwhile, and whether once more in the very last millisecond.',
  },
  {
    file: `${FOLDER}/read-duration.ts`,
    code: "const totalMs = parts.reduce((sum, [, figure, name = '']) => sum + Number(figure) * unitMs(name, text), 0)",
    changes: [`'' => "Stryker was here!"`],
    because: 'Each part has a name; the text is for the compiler.',
  },
  {
    file: `${FOLDER}/read-duration.ts`,
    code: 'if (totalMs < MIN_MINUTES * 60_000 || totalMs > MAX_DAYS * 86_400_000) {',
    changes: ['MIN_MINUTES * 60_000 => MIN_MINUTES / 60_000'],
    because: 'Durations are whole minutes, so that only none at all is too short.',
  },
  {
    file: `${FOLDER}/read-duration.ts`,
    code: "const ms = UNIT_MS[unit ?? '']",
    changes: [`'' => "Stryker was here!"`],
    because: 'Neither text is a unit.',
  },
  {
    file: `${FOLDER}/reroll-giveaway.ts`,
    code: "{ interaction: origin.interaction, verb: 'giveaway-reroll', content: [id, member] },",
    changes: [`'giveaway-reroll' => ""`],
    because: NOT_ANOTHERS_NAME,
  },
  {
    file: `${FOLDER}/start-giveaway.ts`,
    code: "const id = await context.once.perform({ interaction: origin.interaction, verb: 'giveaway', content }, (digest) =>",
    changes: [`'giveaway' => ""`],
    because: NOT_ANOTHERS_NAME,
  },
  {
    file: `${FOLDER}/start-giveaway.ts`,
    code: 'for (let attempt = 0; ; attempt += 1) {',
    changes: ['attempt += 1 => attempt -= 1'],
    because: ENDS_ANYWAY,
  },
  {
    file: `${FOLDER}/start-giveaway.ts`,
    code: 'if (isRelative(command.prize) && attempt < 5) continue',
    changes: ['attempt < 5 => true', 'attempt < 5 => attempt <= 5'],
    because: ENDS_ANYWAY,
  },
]
