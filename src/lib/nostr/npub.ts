import { npubEncode } from 'nostr-tools/nip19'

/** A Nostr public key (64 hex digits) as people know it: `npub1…` (NIP-19). */
export function npubOf(pubkey: string): string {
  return npubEncode(pubkey)
}
