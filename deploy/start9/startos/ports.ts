/** The bot's web server: set-up, status, pay pages, the operators' page. */
export const WEB_PORT = 8788
/** The payments service: what wallets ask. */
export const SERVICE_PORT = 8787
