/** The sender's name in every outgoing request (RFC 9110, §10.1.5). Many firewalls reject requests without one. */
export const USER_AGENT = 'Satchel (Lightning wallet)'
