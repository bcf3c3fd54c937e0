/** The verbs of what is under a history, and under a payment that has a receipt. */
export const HISTORY_PAGE_VERB = 'history-page'
export const HISTORY_CSV_VERB = 'history-file'
export const HISTORY_RECEIPT_VERB = 'history-receipt'
export const RECEIPT_VERB = 'receipt'
