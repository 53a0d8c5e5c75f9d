import { describe, expect, it } from "vitest";
import { matchHosts } from "../../../../main/engine/hours/match.ts";

const resources = [
  { ResourceId: "i-030791dc5a37cd257", ResourceName: null },
  { ResourceId: "arn:aws:ec2:eu-west-1:111122223333:instance/i-0aaaaaaaaaaaaaaaa", ResourceName: "train-1" },
  { ResourceId: "//compute.googleapis.com/projects/p/zones/z/instances/gke-ml-pool-1-abcd", ResourceName: null },
  { ResourceId: "/subscriptions/S/resourceGroups/R/providers/Microsoft.Compute/virtualMachineScaleSets/aks-gpu-12345678-vmss", ResourceName: null },
  { ResourceId: "/subscriptions/S/resourceGroups/R/providers/Microsoft.Compute/virtualMachines/ND-01", ResourceName: "ND-01" },
  { ResourceId: "/projects/a/instances/twin", ResourceName: null },
  { ResourceId: "/projects/b/instances/twin", ResourceName: null },
];
const joined = (host: string, map: Parameters<typeof matchHosts>[2] = []): unknown => matchHosts([host], resources, map).matches.map(({ resourceId, rule }) => [rule, resourceId.split("/").at(-1)]);

describe("joining a host to its billed resource", () => {
  it("takes an instance id as it is, as a resource name of the cloud's DNS, and inside an ARN", () => {
    expect(joined("i-030791dc5a37cd257")).toEqual([["explicit-id", "i-030791dc5a37cd257"]]);
    expect(joined("i-030791dc5a37cd257.eu-west-1.compute.internal")).toEqual([["explicit-id", "i-030791dc5a37cd257"]]);
    expect(joined("I-0AAAAAAAAAAAAAAAA")).toEqual([["explicit-id", "i-0aaaaaaaaaaaaaaaa"]]);
  });

  it("takes a node's name for the resource of that name, case aside, and knows scale sets", () => {
    expect(joined("gke-ml-pool-1-abcd")).toEqual([["node-name", "gke-ml-pool-1-abcd"]]);
    expect(joined("nd-01.corp.example")).toEqual([["node-name", "ND-01"]]);
    expect(joined("aks-gpu-12345678-vmss00000b")).toEqual([["node-name", "aks-gpu-12345678-vmss"]]);
    expect(joined("train-1")).toEqual([["node-name", "i-0aaaaaaaaaaaaaaaa"]]);
  });

  it("joins nothing when a name fits two resources, and proposes both", () => {
    const { matches, proposals } = matchHosts(["twin"], resources, []);
    expect(matches).toEqual([]);
    expect(proposals.get("twin")?.map(({ resourceId }) => resourceId)).toEqual(["/projects/a/instances/twin", "/projects/b/instances/twin"]);
  });

  it("lets the person's word stand first, within its dates, and the rules speak for the rest of time", () => {
    const map = [{ Host: "train-1", ResourceId: "/projects/a/instances/twin", ValidFrom: "2026-01-01T00:00:00Z", ValidTo: "2026-02-01T00:00:00Z" }];
    const { matches } = matchHosts(["train-1"], resources, map);
    expect(matches.map(({ rule, fromHour, toHour }) => [rule, fromHour, toHour])).toEqual([
      ["user-map", 490_896, 491_640],
      ["node-name", 0, 490_896],
      ["node-name", 491_640, 100_000_000],
    ]);
    expect(joined("424773df46e0", [{ Host: "424773df46e0", ResourceId: "i-030791dc5a37cd257", ValidFrom: null, ValidTo: null }])).toEqual([["user-map", "i-030791dc5a37cd257"]]);
  });
});
