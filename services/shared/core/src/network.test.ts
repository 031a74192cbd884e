import fc from "fast-check";
import { expect, test } from "vitest";

import { networkOf } from "./network.ts";

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:1:2::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::2:3:4:5:6:7:8", "0:2:3:4::/64"],
  ["", ""],
  ["no address", "no address"],
])("%j counts as %j", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test("an address maps to the same network in any notation", () => {
  const group = fc.integer({ min: 0, max: 0xffff }).map((number) => number.toString(16));
  const groups = fc.array(group, { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(groups, groups, (network, host) => {
      const padded = network.map((one) => one.padStart(4, "0").toUpperCase());
      const expected = `${network.join(":")}::/64`;
      expect(networkOf([...network, ...host].join(":"))).toBe(expected);
      expect(networkOf([...padded, "0", "0", "0", "1"].join(":"))).toBe(expected);
    }),
  );
});
