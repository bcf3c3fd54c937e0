/** What wallets write into their histories of a payment from or to us, beside its amount: the same in every language. */
export const OUR_NAME = 'Satchel'
