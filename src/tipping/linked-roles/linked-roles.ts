import type { Msats } from '../../lib/money/amount.ts'

/** Members who let Discord show their gifts, so that servers can tie roles to them ("linked roles"). */
export interface LinkedRoles {
  /** Whether anybody can connect here, which requires a key to encrypt Discord's tokens. */
  readonly offered: boolean
  /** Marks a browser's attempt as used. Resolves to false if any process has already marked the attempt. */
  useAttempt(attempt: { readonly secret: string; readonly until: Date }): Promise<boolean>
  /** Stores a member's Discord tokens, encrypted, in place of earlier ones. */
  connect(command: { readonly member: string; readonly tokens: string }): Promise<ConnectedRoles>
  /** Returns the time when a member connected; undefined for a member who is not connected. */
  mine(member: string): Promise<{ readonly since: Date } | undefined>
  /**
   * Takes connections whose figures have not been compared for an hour. Each connection goes to only one process, which
   * then compares its figures.
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
   * Registers a listener for the tokens of members who disconnect or delete their data in this process, so that Discord
   * can be told.
   */
  onForgotten(listener: (tokens: string) => void): void
}

/** A member's figures for Discord, from the member's final gifts in all servers. */
export interface RoleFigures {
  /**
   * The sum of the member's gifts: tips, drops' shares, prizes. A pool's payments, and sums that went back or may still
   * go back, are not counted.
   */
  readonly given: Msats
  readonly tips: number
  /**
   * The time of the member's first tip given or received, or of an earlier first deposit; otherwise the time of
   * connecting.
   */
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
