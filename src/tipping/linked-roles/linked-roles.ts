import type { Msats } from '../../lib/money/amount.ts'

/** Members who let Discord show what they gave, so that servers can tie roles to it ("linked roles"). */
export interface LinkedRoles {
  /** Whether anybody can connect here: there is a key to encrypt Discord's tokens with. */
  readonly offered: boolean
  /** Uses up a browser's attempt. Resolves to false where it came back before, in whichever process. */
  useAttempt(attempt: { readonly secret: string; readonly until: Date }): Promise<boolean>
  /** Stores what Discord gave for a member, encrypted, in place of what was there. */
  connect(command: { readonly member: string; readonly tokens: string }): Promise<ConnectedRoles>
  /** When a member connected; undefined where they have not. */
  mine(member: string): Promise<{ readonly since: Date } | undefined>
  /** Connections whose figures were not compared for an hour. Each is handed to one process, which compares them now. */
  takeDue(most: number): Promise<readonly ConnectedRoles[]>
  /** Discord gave new tokens. Resolves to false where the member has disconnected meanwhile. */
  renewed(renewal: { readonly id: string; readonly tokens: string }): Promise<boolean>
  /** Discord has these figures now. */
  told(news: { readonly id: string; readonly figures: RoleFigures }): Promise<void>
  /** Discord has ended this connection: its tokens are forgotten. */
  end(id: string): Promise<void>
  /** Forgets a member's tokens at once. Resolves to whether there were any. */
  disconnect(member: string): Promise<boolean>
  /** Hears the tokens of those who disconnect or have their data deleted in this process, so that Discord can be told. */
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
  /** The first tip that they gave or got, or their first deposit; else when they connected. */
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
