const DAY_MS = 24 * 3_600_000

/** The age in days below which a Discord account is new: an attacker can create any number of accounts at no cost. */
export const NEW_ACCOUNT_DAYS = 7

/** Whether a Discord account is new at a given time. An account of unknown age is not new. */
export function isNewAccount(accountSince: Date | undefined, at: Date): boolean {
  return accountSince !== undefined && at.getTime() - accountSince.getTime() < NEW_ACCOUNT_DAYS * DAY_MS
}
