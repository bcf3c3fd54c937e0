import type { Explained } from './explained.ts'

const OFFER = 'src/tipping/addresses/offer-of-address.ts'
const POLL = 'src/tipping/addresses/poll-address.ts'
const TAKE = 'src/tipping/addresses/take-address.ts'
const VIEW = 'src/tipping/addresses/view-address.ts'
const NEW_INVOICE = 'src/tipping/invoices/create-invoice.ts'
const POLL_INVOICE = 'src/tipping/invoices/poll-invoice.ts'
const VIEW_INVOICE = 'src/tipping/invoices/view-invoice.ts'

const LIVE_HAS_IT =
  'An address that is live has all of them, as the database sees to it; the question is for the compiler.'
const TWO_EQUAL = 'Of two equal amounts either is the larger.'
const SAME_MOMENT =
  'It only keeps those that were made in the same millisecond in one order, no matter which, also on PostgreSQL.'
const NOTHING_ELSE_FAILS = 'Nothing else is thrown there but bugs, which would end the command or the poll otherwise.'

/** What survives the tests of members' addresses and of invoices, and why that is well. */
export const OF_ADDRESSES: readonly Explained[] = [
  {
    file: TAKE,
    code: "orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],",
    changes: ["{ createdAt: 'desc' } => {}"],
    because:
      'An id begins with the time at which it was made, so both put addresses in the same order while clocks go on.',
  },
  {
    file: TAKE,
    code: "const [name = ''] = typed.trim().toLowerCase().split('@')",
    changes: [`'' => "Stryker was here!"`],
    because: 'What is split has a first part, be it empty; the question is for the compiler.',
  },
  {
    file: TAKE,
    code: "where: { member, state: 'live', provider: atPresentProvider(context), ...(name === undefined ? {} : { name }) },",
    changes: ['name === undefined => false'],
    because: 'Prisma takes a condition whose value is undefined for none.',
  },
  {
    file: TAKE,
    code: "orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],",
    changes: ["{ id: 'desc' } => {}"],
    because: SAME_MOMENT,
  },
  {
    file: VIEW,
    code: "orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],",
    changes: ["{ id: 'desc' } => {}"],
    because: SAME_MOMENT,
  },
  {
    file: OFFER,
    code: 'if (!found?.chargeId) return undefined',
    changes: ['!found?.chargeId => false', 'found?.chargeId => found.chargeId'],
    because: 'The address was taken just before, so it is live, and no address is ever deleted that is.',
  },
  {
    file: OFFER,
    code: '} catch (error) {',
    changes: [
      '{ if (error instanceof PaymentsError || error instanceof InvalidInvoice) return undefined throw error } => {}',
    ],
    because: NOTHING_ELSE_FAILS,
  },
  {
    file: NEW_INVOICE,
    code: '} catch (error) {',
    changes: ['{ if (error instanceof InvalidInvoice) return undefined throw error } => {}'],
    because: NOTHING_ELSE_FAILS,
  },
  {
    file: POLL,
    code: "return 'refused'",
    changes: [`'refused' => ""`],
    because: 'It only has to be neither credited nor unread.',
  },
  {
    file: OFFER,
    code: 'if (error instanceof PaymentsError || error instanceof InvalidInvoice) return undefined',
    changes: ['error instanceof PaymentsError || error instanceof InvalidInvoice => true'],
    because: NOTHING_ELSE_FAILS,
  },
  {
    file: POLL,
    code: "return Object.keys(kept).length === 0 ? '' : JSON.stringify(kept)",
    changes: ['Object.keys(kept).length === 0 => false'],
    because: 'An empty object is read as nothing as well.',
  },
  {
    file: VIEW,
    code: "address: address ?? '',",
    changes: [`'' => "Stryker was here!"`],
    because: LIVE_HAS_IT,
  },
  {
    file: VIEW,
    code: "request: request ?? '',",
    changes: [`'' => "Stryker was here!"`],
    because: LIVE_HAS_IT,
  },
  {
    file: VIEW,
    code: 'return found.flatMap(({ address }) => address ?? [])',
    changes: [`[] => ["Stryker was here"]`],
    because: LIVE_HAS_IT,
  },
  {
    file: NEW_INVOICE,
    code: "const id = await context.once.perform({ interaction: origin.interaction, verb: 'invoice', content }, (digest) =>",
    changes: [`'invoice' => ""`],
    because:
      'The verb only keeps the digests of different commands apart; an interaction belongs to one command, and the rest of its content differs from all others.',
  },
  {
    file: NEW_INVOICE,
    code: 'const smallest = msats(context.settings.minAmount > sats(1) ? context.settings.minAmount : sats(1))',
    changes: ['context.settings.minAmount > sats(1) => context.settings.minAmount >= sats(1)'],
    because: TWO_EQUAL,
  },
  {
    file: TAKE,
    code: 'const least = msats(minAmount > sats(1) ? minAmount : sats(1))',
    changes: ['minAmount > sats(1) => minAmount >= sats(1)'],
    because: TWO_EQUAL,
  },
  {
    file: POLL_INVOICE,
    code: "if (invoice === null || invoice.state === 'paid' || invoice.request === null) return END",
    changes: ['invoice === null => false', 'invoice.request === null => false'],
    because:
      'No invoice is ever deleted, and it is polled only once it has a request; the question is for the compiler.',
  },
  {
    file: NEW_INVOICE,
    code: 'if (error instanceof InvalidInvoice) return undefined',
    changes: ['error instanceof InvalidInvoice => true'],
    because: NOTHING_ELSE_FAILS,
  },
  {
    file: POLL_INVOICE,
    code: 'if (!(error instanceof PaymentsError)) throw error',
    changes: ['!(error instanceof PaymentsError) => false'],
    because: NOTHING_ELSE_FAILS,
  },
  {
    file: VIEW_INVOICE,
    code: "request: invoice.request ?? '',",
    changes: [`'' => "Stryker was here!"`],
    because: 'An invoice that is shown has one, as the database sees to it; the question is for the compiler.',
  },
  {
    file: VIEW,
    code: "orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],",
    changes: ["{ createdAt: 'desc' } => {}"],
    because:
      'An id begins with the time at which it was made, so both put addresses in the same order while clocks go on.',
  },
  {
    file: POLL_INVOICE,
    code: "if (typeof status !== 'string') return undefined",
    changes: ["typeof status !== 'string' => false"],
    because:
      'A hint whose status is no text would only be read for its id, and whatever that leads to is asked of the provider.',
  },
  {
    file: POLL_INVOICE,
    code: "if (state === 'open' || state === invoice.state) return",
    changes: ["state === 'open' => false", `'open' => ""`],
    because: 'An invoice that is open is as it was, and none that is over is opened again by the change that follows.',
  },
]
