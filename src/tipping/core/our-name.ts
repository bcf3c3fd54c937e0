/** The bot's name in wallets' histories, beside a payment's amount; the same in every language. */
export const OUR_NAME = 'Satchel'
