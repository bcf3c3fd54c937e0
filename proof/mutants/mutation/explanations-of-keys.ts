import type { Explained } from './explained.ts'

const AUTHENTICATION = 'src/payments-service/machines/http/authentication.ts'
const GAMERTAGS = 'src/payments-service/machines/names/gamertags.ts'
const IDEMPOTENCY = 'src/payments-service/machines/http/idempotency.ts'
const OUTBOX = 'src/payments-service/machines/outbox/outbox.ts'
const REQUEST_HASH = 'src/payments-service/machines/http/request-hash.ts'
const RUN_OPERATION = 'src/payments-service/machines/http/run-operation.ts'

const WORDS_FOR_A_DEBUGGER = 'It is caught, and nobody reads its words but in a debugger.'
const FOR_THE_COMPILER = 'Only rows that have it are asked for; the question is for the compiler.'
const ONLY_FASTER =
  'It only decides how fast a body is written: either way writes it with its fields in the same order.'
const IN_ORDER_OF_INDEX =
  'SQLite reads by the index of this column, so in its order, anyway. PostgreSQL promises no order.'
const FORGOTTEN_TOGETHER =
  'Status and body of an answer are written together and forgotten together, so one of the two questions is for the compiler.'

/** What survives the tests of keys, names and the outbox, and why that is well. */
export const OF_KEYS: readonly Explained[] = [
  {
    file: AUTHENTICATION,
    code: 'const keys = await database.read.apiKey.findMany({ where: { hash: { in: [...hashes] }, revokedAt: null } })',
    changes: ['{ in: [...hashes] } => {}'],
    because: 'The filter only spares reading other keys: each is looked up by its hash afterwards.',
  },
  {
    file: IDEMPOTENCY,
    code: "override name = 'KeyTaken'",
    changes: [`'KeyTaken' => ""`],
    because: WORDS_FOR_A_DEBUGGER,
  },
  {
    file: IDEMPOTENCY,
    code: "super('another service was quicker with the same Idempotency-Key')",
    changes: [`'another service was quicker with the same Idempotency-Key' => ""`],
    because: WORDS_FOR_A_DEBUGGER,
  },
  {
    file: IDEMPOTENCY,
    code: 'if (row.status === null || row.body === null) throw expired()',
    changes: [
      'row.status === null || row.body === null => row.status === null && row.body === null',
      'row.status === null => false',
      'row.body === null => false',
    ],
    because: FORGOTTEN_TOGETHER,
  },
  {
    file: IDEMPOTENCY,
    code: 'where: { createdAt, body: { not: null } },',
    changes: ['{ not: null } => {}'],
    because: 'The filter only spares writing rows whose answer is forgotten already.',
  },
  {
    file: REQUEST_HASH,
    code: 'return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))',
    changes: ['one < other => one <= other'],
    because: 'No two fields of an object have the same name.',
  },
  {
    file: REQUEST_HASH,
    code: "for (const value of Object.values(body)) if (typeof value === 'object' && value !== null) return false",
    changes: [
      "typeof value === 'object' && value !== null => true",
      "typeof value === 'object' => true",
      'value !== null => true',
      "typeof value === 'object' && value !== null => typeof value === 'object' || value !== null",
    ],
    because: ONLY_FASTER,
  },
  {
    file: REQUEST_HASH,
    code: "if (typeof body !== 'object' || body === null || Array.isArray(body)) return false",
    changes: ["typeof body !== 'object' || body === null || Array.isArray(body) => true", `'object' => ""`],
    because: ONLY_FASTER,
  },
  {
    file: REQUEST_HASH,
    code: 'function isFlat(body: unknown): body is object {',
    changes: [
      "{ if (typeof body !== 'object' || body === null || Array.isArray(body)) return false for (const value of Object.values(body)) if (typeof value === 'object' && value !== null) return false return true } => {}",
    ],
    because: ONLY_FASTER,
  },
  { file: REQUEST_HASH, code: 'return true', changes: ['true => false'], because: ONLY_FASTER },
  {
    file: RUN_OPERATION,
    code: "this.#progress = 'trying'",
    changes: [`'trying' => ""`],
    because: 'It counts only that this is none of the other three; nothing asks for it by its name.',
  },
  {
    file: 'src/payments-service/machines/http/routes.ts',
    code: "return Array.isArray(value) ? value.join(',') : value",
    changes: [`',' => ""`, 'Array.isArray(value) => false'],
    because: 'Node hands over these headers as one text, however often they are sent; the list is for the compiler.',
  },
  {
    file: GAMERTAGS,
    code: 'return rows.flatMap(({ userId, display }) => (userId === null ? [] : [{ userId, gamertag: display }]))',
    changes: ['[] => ["Stryker was here"]', 'userId === null => false'],
    because: FOR_THE_COMPILER,
  },
  {
    file: GAMERTAGS,
    code: "orderBy: { folded: 'asc' },",
    changes: ["{ folded: 'asc' } => {}"],
    because: IN_ORDER_OF_INDEX,
  },
  {
    file: GAMERTAGS,
    code: "const lately = await tx.gamertagChange.findMany({ where: { userId, at }, orderBy: { at: 'asc' } })",
    changes: ["{ at: 'asc' } => {}"],
    because: IN_ORDER_OF_INDEX,
  },
  {
    file: GAMERTAGS,
    code: 'if (oldest !== undefined && lately.length >= MAX_RENAMES) {',
    changes: ['oldest !== undefined => true'],
    because: 'Of three or more there is an oldest; the question is for the compiler.',
  },
  {
    file: GAMERTAGS,
    code: 'return rows.flatMap(({ display, reservedUntil }) => (reservedUntil === null ? [] : [{ display, reservedUntil }]))',
    changes: ['[] => ["Stryker was here"]', 'reservedUntil === null => false'],
    because: FOR_THE_COMPILER,
  },
  {
    file: 'src/payments-service/users/link-code.ts',
    code: "return { code: (letters.match(/.{4}/g) ?? []).join('-'), row: { table: 'LinkCode', values } }",
    changes: ['[] => ["Stryker was here"]'],
    because: 'There are always twelve letters; what stands for none is for the compiler.',
  },
  {
    file: OUTBOX,
    code: 'where: { resource: { in: [...new Set(resources)] }, deliveredAt: null, deadLetteredAt: null },',
    changes: ['{ in: [...new Set(resources)] } => {}'],
    because: 'The filter only spares reading about other resources: each is looked up by its name afterwards.',
  },
  {
    file: OUTBOX,
    code: 'const last = earlier.at(-1)',
    changes: ['-1 => +1'],
    because:
      'What the earlier batch was about is left out of the next one, so it does not matter after which of its callbacks that begins.',
  },
  {
    file: OUTBOX,
    code: 'if (sizeOf(receiver) === 0) this.#receivers.delete(name)',
    changes: ['sizeOf(receiver) === 0 => false', 'this.#receivers.delete(name) => ;'],
    because: 'It only spares memory: a receiver of which nothing is taken up counts as one that is not known.',
  },
  {
    file: OUTBOX,
    code: 'if (resources.length === 0) return new Map()',
    changes: ['resources.length === 0 => false'],
    because: 'A short cut: of nothing, no oldest is found.',
  },
  {
    file: OUTBOX,
    code: 'if (delivered.length > 0) {',
    changes: ['delivered.length > 0 => true', 'delivered.length > 0 => delivered.length >= 0'],
    because: 'A short cut: nothing would be changed.',
  },
  {
    file: OUTBOX,
    code: "orderBy: { nextAttemptAt: 'asc' },",
    changes: ["{ nextAttemptAt: 'asc' } => {}"],
    because: IN_ORDER_OF_INDEX,
  },
  {
    file: OUTBOX,
    code: 'const due = (next?.nextAttemptAt?.getTime() ?? Number.POSITIVE_INFINITY) - clock.now()',
    changes: ['next?.nextAttemptAt?.getTime => next?.nextAttemptAt.getTime'],
    because: FOR_THE_COMPILER,
  },
  {
    file: OUTBOX,
    code: 'return spent > THREE_DAYS_MS ? undefined : pauseOf(attempts)',
    changes: ['spent > THREE_DAYS_MS => spent >= THREE_DAYS_MS'],
    because: 'No sum of these pauses is three days to the millisecond.',
  },
  {
    file: OUTBOX,
    code: 'if (receiver.waiting.length === 0) this.wake()',
    changes: ['receiver.waiting.length === 0 => true'],
    because: 'It only spares looks: one that comes too early finds nothing new.',
  },
]
