import { npubEncode } from 'nostr-tools/nip19'

/** Converts a Nostr public key, in hex, to the form that people know: `npub1…` (NIP-19). */
export function npubOf(pubkey: string): string {
  return npubEncode(pubkey)
}
