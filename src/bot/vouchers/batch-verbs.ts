/** The buttons below a batch's card, in what they are called in a `custom_id`. */
export const BATCH_CSV_VERB = 'batch-csv'
export const BATCH_PRINT_VERB = 'batch-print'
export const BATCH_END_VERB = 'batch-end'
