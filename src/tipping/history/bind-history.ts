import type { CoreContext } from '../core/context.ts'
import type { History } from './history.ts'
import { receiptOf } from './payment-receipt.ts'
import { historyPage, recentOperations } from './read-history.ts'

export function bindHistory(context: CoreContext, exportOf: History['export']): History {
  return {
    page: (member, page) => historyPage(context, member, page),
    export: exportOf,
    operations: (member) => recentOperations(context, member),
    receipt: (command) => receiptOf(context, command),
  }
}
