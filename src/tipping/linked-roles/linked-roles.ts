import type { Msats } from '../../lib/money/amount.ts'

/** Members who let Discord show their gifts, so that servers can tie roles to them ("linked roles"). */
export interface LinkedRoles {
  /** Whether anybody can connect here: there is a key to encrypt Discord's tokens. */
  readonly offered: boolean
  /** Uses up a browser's attempt. Resolves to false if it came back before, in any process. */
  useAttempt(attempt: { readonly secret: string; readonly until: Date }): Promise<boolean>
  /** Stores a member's Discord tokens, encrypted, in place of earlier ones. */
  connect(command: { readonly member: string; readonly tokens: string }): Promise<ConnectedRoles>
  /** Returns when a member connected; undefined if they did not. */
  mine(member: string): Promise<{ readonly since: Date } | undefined>
  /**
   * Takes connections whose figures were not compared for an hour. Each goes to one process, which compares them now.
   */
  takeDue(most: number): Promise<readonly ConnectedRoles[]>
  /** Stores new tokens from Discord. Resolves to false if the member has disconnected. */
  renewed(renewal: { readonly id: string; readonly tokens: string }): Promise<boolean>
  /** Notes that Discord has these figures. */
  told(news: { readonly id: string; readonly figures: RoleFigures }): Promise<void>
  /** Notes that Discord has ended this connection, and deletes its tokens. */
  end(id: string): Promise<void>
  /** Deletes a member's tokens immediately. Resolves to whether there were any. */
  disconnect(member: string): Promise<boolean>
  /**
   * Calls back with the tokens of members who disconnect or delete their data in this process, so that Discord can be
   * told.
   */
  onForgotten(listener: (tokens: string) => void): void
}

/** A member's figures for Discord: finally received gifts, in all servers. */
export interface RoleFigures {
  /**
   * In msats: tips, drops' shares, prizes. A pool's payments, and sums that went back or may still go back, are not
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
  /** Whether Discord already has these figures. */
  readonly isShown: boolean
}
