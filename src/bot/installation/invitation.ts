import {
  type APIButtonComponentWithURL,
  ButtonStyle,
  ComponentType,
  OAuth2Scopes,
  PermissionFlagsBits,
} from 'discord.js'
import type { Translator } from '../i18n/translator.ts'

const { ViewChannel, SendMessages, SendMessagesInThreads, EmbedLinks, AttachFiles, ReadMessageHistory } =
  PermissionFlagsBits

/** The permissions that the bot needs in a server. */
export const PERMISSIONS =
  ViewChannel | SendMessages | SendMessagesInThreads | EmbedLinks | AttachFiles | ReadMessageHistory

/** The scopes that a server grants: the bot as a member, and its commands. */
export const SCOPES: readonly string[] = [OAuth2Scopes.Bot, OAuth2Scopes.ApplicationsCommands]

/** Returns the address at which a server's manager invites the bot, with exactly the permissions that it needs. */
export function inviteLink(applicationId: string): string {
  const query = new URLSearchParams({
    client_id: applicationId,
    scope: SCOPES.join(' '),
    permissions: PERMISSIONS.toString(),
  })
  return `https://discord.com/oauth2/authorize?${query}`
}

/** Builds the button that opens the invitation, for people who meet the bot where it is not a member. */
export function inviteButton(applicationId: string, t: Translator): APIButtonComponentWithURL {
  return {
    type: ComponentType.Button,
    style: ButtonStyle.Link,
    label: t('installation.inviteButton'),
    url: inviteLink(applicationId),
  }
}
