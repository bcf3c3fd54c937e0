import type { Msats } from '../../lib/money/amount.ts'

/** Members who let Discord show their gifts, so servers can tie roles to them ("linked roles"). */
export interface LinkedRoles {
  /** Whether anybody can connect here: there is a key to encrypt Discord's tokens with. */
  readonly offered: boolean
  /** Uses up a browser's attempt. Resolves to false if it came back before, in whichever process. */
  useAttempt(attempt: { readonly secret: string; readonly until: Date }): Promise<boolean>
  /** Stores Discord's tokens of a member, encrypted, in place of earlier ones. */
  connect(command: { readonly member: string; readonly tokens: string }): Promise<ConnectedRoles>
  /** When a member connected; undefined if they did not. */
  mine(member: string): Promise<{ readonly since: Date } | undefined>
  /** Connections whose figures were not compared for an hour. Each is handed to one process, which compares them now. */
  takeDue(most: number): Promise<readonly ConnectedRoles[]>
  /** Discord gave new tokens. Resolves to false if the member has disconnected meanwhile. */
  renewed(renewal: { readonly id: string; readonly tokens: string }): Promise<boolean>
  /** Discord has these figures now. */
  told(news: { readonly id: string; readonly figures: RoleFigures }): Promise<void>
  /** Discord has ended this connection: its tokens are forgotten. */
  end(id: string): Promise<void>
  /** Forgets a member's tokens at once. Resolves to whether there were any. */
  disconnect(member: string): Promise<boolean>
  /** Hears the tokens of members who disconnect or delete their data in this process, so Discord can be told. */
  onForgotten(listener: (tokens: string) => void): void
}

/** A member's figures for Discord: gifts that have arrived for good, in all servers. */
export interface RoleFigures {
  /**
   * Msats: tips, shares of drops, prizes. A pool's payments, and sums that went back or may still go back, are not
   * counted.
   */
  readonly given: Msats
  readonly tips: number
  /** Their first tip given or received, or their first deposit; else the time of connecting. */
  readonly since: Date
}

export interface ConnectedRoles {
  readonly id: string
  /** The tokens stored with `connect` or `renewed`. */
  readonly tokens: string
  readonly figures: RoleFigures
  /** Whether Discord has these figures already. */
  readonly isShown: boolean
}
