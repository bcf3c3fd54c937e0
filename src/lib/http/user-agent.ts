/** How every request that leaves says who asks (RFC 9110, §10.1.5): many a firewall turns away one that does not say. */
export const USER_AGENT = 'Satchel (Lightning wallet)'
