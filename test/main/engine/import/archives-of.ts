/** Small zip and tar archives, for tests. */
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipMember {
  readonly name: string | Buffer;
  readonly bytes: Buffer | string;
  readonly isStored?: boolean;
  readonly flags?: number;
  /** What the directory claims instead of what is so. */
  readonly claims?: { readonly size?: number; readonly crc?: number };
}

export function zipOf(members: readonly ZipMember[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, isStored = false, flags = 0, claims = {} } of members) {
    const plain = Buffer.from(bytes as string);
    const packed = isStored ? plain : deflateRawSync(plain);
    const label = Buffer.from(name as string);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(flags, 2);
    head.writeUInt16LE(isStored ? 0 : 8, 4);
    head.writeUInt16LE(0, 6);
    head.writeUInt16LE(((2026 - 1980) << 9) | (10 << 5) | 1, 8);
    head.writeUInt32LE(claims.crc ?? crc32(plain), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(claims.size ?? plain.length, 18);
    head.writeUInt16LE(label.length, 22);
    const directory = Buffer.alloc(46);
    directory.writeUInt32LE(0x02014b50, 0);
    directory.writeUInt16LE(20, 4);
    head.copy(directory, 6);
    directory.writeUInt32LE(offset, 42);
    central.push(directory, label);
    const entry = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), head, label, packed]);
    local.push(entry);
    offset += entry.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}

export interface TarMember {
  readonly name: string;
  readonly bytes?: Buffer | string;
  readonly type?: "0" | "2" | "5";
}

/** A ustar archive. */
export function tarOf(members: readonly TarMember[], { isWhole = true }: { readonly isWhole?: boolean } = {}): Buffer {
  const blocks = members.flatMap(({ name, bytes = "", type = "0" }) => {
    const plain = Buffer.from(bytes as string);
    const head = Buffer.alloc(512);
    head.write(name, 0, 100);
    head.write("0000644\0", 100);
    head.write("0000000\0", 108);
    head.write("0000000\0", 116);
    head.write(`${plain.length.toString(8).padStart(11, "0")}\0`, 124);
    head.write(`${(1_790_000_000).toString(8).padStart(11, "0")}\0`, 136);
    head.write("        ", 148);
    head.write(type, 156);
    head.write("ustar\u000000", 257);
    const sum = head.reduce((total, byte) => total + byte, 0);
    head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [head, plain, Buffer.alloc((512 - (plain.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(isWhole ? 1024 : 0)]);
}
