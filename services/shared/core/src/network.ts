import { isIPv6 } from "node:net";

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS = 8;
/** A subscriber commonly gets a whole /64 and may use any address in it. */
const NETWORK_GROUPS = 4;

/**
 * The key by which attempts from an IP address are counted: an IPv4 address itself, or the /64 of
 * an IPv6 address. Any other text is returned unchanged.
 */
export function networkOf(address: string): string {
  const mapped = MAPPED_IPV4.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [withoutZone = ""] = address.split("%", 1);
  if (!isIPv6(withoutZone)) return address;
  const canonical = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1);
  const [before = [], after = []] = canonical.split("::").map(groupsOf);
  const zeros = Array<string>(GROUPS - before.length - after.length).fill("0");
  return `${[...before, ...zeros, ...after].slice(0, NETWORK_GROUPS).join(":")}::/64`;
}

function groupsOf(text: string): string[] {
  return text === "" ? [] : text.split(":");
}
