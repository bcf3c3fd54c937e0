const DAY_MS = 24 * 3_600_000

/** A Discord account younger than this costs an attacker nothing: they make as many as they need. */
export const NEW_ACCOUNT_DAYS = 7

/** Whether a Discord account is new at a time. An unknown account is not. */
export function isNewAccount(accountSince: Date | undefined, at: Date): boolean {
  return accountSince !== undefined && at.getTime() - accountSince.getTime() < NEW_ACCOUNT_DAYS * DAY_MS
}
