import type { Html } from './html.ts'

/**
 * The pages on which a member lets Discord show what they gave. The bot builds them, and the web server serves them.
 */
export interface LinkedRolesPages {
  /** Explains what Discord will show. */
  intro(acceptLanguage: string | undefined): Html
  /**
   * Returns the Discord page to go to, and what the browser stores meanwhile; undefined while the bot is not connected.
   */
  begin(): { readonly url: string; readonly secret: string } | undefined
  /** Handles a browser that comes back from Discord. */
  finish(came: BackFromDiscord): Promise<{ readonly done: boolean; readonly page: Html }>
}

/** The query of a browser that comes back: Discord's parameters, and its own cookie. */
export interface BackFromDiscord {
  readonly code: string | undefined
  readonly state: string | undefined
  readonly error: string | undefined
  readonly secret: string | undefined
  readonly acceptLanguage: string | undefined
}
