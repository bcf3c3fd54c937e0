import type { Html } from './html.ts'

/**
 * The pages on which a member lets Discord show what the member has given. The bot builds these pages, and the web
 * server serves them.
 */
export interface LinkedRolesPages {
  /** Returns the page that explains what Discord will show. */
  intro(acceptLanguage: string | undefined): Html
  /**
   * Returns the address of the Discord page to go to, and the secret that the browser stores meanwhile; undefined while
   * the bot is not connected.
   */
  begin(): { readonly url: string; readonly secret: string } | undefined
  /** Handles a browser that comes back from Discord, and resolves to the page that the browser gets. */
  finish(came: BackFromDiscord): Promise<{ readonly done: boolean; readonly page: Html }>
}

/**
 * What a browser that comes back sends: Discord's parameters, the secret from the browser's cookie, and the accepted
 * languages.
 */
export interface BackFromDiscord {
  readonly code: string | undefined
  readonly state: string | undefined
  readonly error: string | undefined
  readonly secret: string | undefined
  readonly acceptLanguage: string | undefined
}
