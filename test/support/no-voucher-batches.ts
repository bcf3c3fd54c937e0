import type { Tipping } from '../../src/tipping/tipping.ts'

/** The voucher batches of a bot without any. */
export const NO_VOUCHER_BATCHES: Tipping['voucherBatches'] = {
  create: () => Promise.reject(new Error('no batches are made here')),
  createFromPool: () => Promise.reject(new Error('no batches are made here')),
  view: (id) => Promise.reject(new Error(`no record ${id}`)),
  own: ({ batch }) => Promise.reject(new Error(`no record ${batch}`)),
  mine: () => Promise.resolve([]),
  codes: ({ batch }) => Promise.reject(new Error(`no record ${batch}`)),
  end: ({ batch }) => Promise.reject(new Error(`no record ${batch}`)),
}
