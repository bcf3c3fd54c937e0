const DAY_MS = 24 * 3_600_000

/** A Discord account younger than this costs an attacker nothing, because they can create any number. */
export const NEW_ACCOUNT_DAYS = 7

/** Whether a Discord account is new at a given time. An account of unknown age is not. */
export function isNewAccount(accountSince: Date | undefined, at: Date): boolean {
  return accountSince !== undefined && at.getTime() - accountSince.getTime() < NEW_ACCOUNT_DAYS * DAY_MS
}
