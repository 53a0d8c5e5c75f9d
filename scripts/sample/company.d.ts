import { type Attos } from "./money.ts";
export type Team = "Foundation models" | "Vision" | "Speech" | "Search & ranking" | "Simulation" | "Platform";
export declare const teams: readonly Team[];
export interface Card {
    readonly model: "H100" | "A100" | "L4";
    /** As nvidia-smi names it. */
    readonly name: string;
    readonly memoryMiB: number;
    readonly idleWatts: number;
    readonly busyWatts: number;
}
export interface MachineType {
    readonly name: string;
    readonly provider: "AWS" | "Microsoft" | "Google Cloud";
    readonly card: Card;
    readonly count: number;
    readonly vcpu: number;
    readonly memoryGiB: number;
    readonly onDemand: Attos;
}
export declare const machineTypes: {
    readonly p5: {
        readonly name: "p5.48xlarge";
        readonly provider: "AWS";
        readonly card: Card;
        readonly count: 8;
        readonly vcpu: 192;
        readonly memoryGiB: 2048;
        readonly onDemand: bigint;
    };
    readonly g6: {
        readonly name: "g6.12xlarge";
        readonly provider: "AWS";
        readonly card: Card;
        readonly count: 4;
        readonly vcpu: 48;
        readonly memoryGiB: 192;
        readonly onDemand: bigint;
    };
    readonly nc: {
        readonly name: "Standard_NC96ads_A100_v4";
        readonly provider: "Microsoft";
        readonly card: Card;
        readonly count: 4;
        readonly vcpu: 96;
        readonly memoryGiB: 880;
        readonly onDemand: bigint;
    };
    readonly a2: {
        readonly name: "a2-highgpu-8g";
        readonly provider: "Google Cloud";
        readonly card: Card;
        readonly count: 8;
        readonly vcpu: 96;
        readonly memoryGiB: 680;
        readonly onDemand: bigint;
    };
    readonly a3: {
        readonly name: "a3-highgpu-8g";
        readonly provider: "Google Cloud";
        readonly card: Card;
        readonly count: 8;
        readonly vcpu: 208;
        readonly memoryGiB: 1872;
        readonly onDemand: bigint;
    };
    readonly g2: {
        readonly name: "g2-standard-48";
        readonly provider: "Google Cloud";
        readonly card: Card;
        readonly count: 4;
        readonly vcpu: 48;
        readonly memoryGiB: 192;
        readonly onDemand: bigint;
    };
};
export declare const awsAccounts: {
    readonly payer: "481220036715";
    readonly research: "481220036715";
    readonly production: "603418827754";
};
export declare const azureSubscriptions: {
    readonly research: {
        readonly id: "/subscriptions/3d9f6c1e-52a4-4b7e-9c08-6f1ab2d47e35";
        readonly name: "alderfinch-research";
    };
    readonly speech: {
        readonly id: "/subscriptions/a8047b2c-e6d1-4f39-8b5a-91c3d70e24f6";
        readonly name: "alderfinch-speech";
    };
};
export declare const googleProjects: {
    readonly simulation: "alderfinch-sim-4417";
    readonly search: "alderfinch-search-2280";
};
/** Commitments: what an hour of one machine costs under each, and from when to when. */
export declare const savingsPlans: readonly [{
    readonly id: "arn:aws:savingsplans::481220036715:savingsplan/5b1c6a0e-33f7-4d0a-9d41-0f2f6c1be201";
    readonly machines: 2;
    readonly from: "2025-07-01";
    readonly to: "2028-07-01";
}, {
    readonly id: "arn:aws:savingsplans::481220036715:savingsplan/c47d20b9-8a15-4f7e-b0c6-7d9a45e3f918";
    readonly machines: 1;
    readonly from: "2026-01-01";
    readonly to: "2029-01-01";
}];
export declare const savingsPlanRate: bigint;
export declare const reservedG6: {
    readonly arn: "arn:aws:ec2:us-east-1:603418827754:reserved-instances/9f0b5a7c-1d2e-46b8-a3f4-5c6d7e8f9012";
    readonly rate: bigint;
    readonly from: "2025-08-14";
    readonly to: "2026-08-14";
};
export declare const reservationsNc: readonly [{
    readonly order: "7c2f1b68-44d5-4c1e-8f0e-2a93d5b1e604";
    readonly id: "0e6a3d51-92b7-4f0c-8d3a-5b7c1f2e9a40";
    readonly name: "NC A100 v4, four";
    readonly machines: 4;
    readonly payment: "monthly";
    readonly from: "2023-12-01";
    readonly to: "2026-12-01";
}, {
    readonly order: "b15e90c3-7f2a-4d86-9b41-60c8e7f3d215";
    readonly id: "d4b8c2f7-1a5e-49d3-b6f0-8e2c7a9d3b61";
    readonly name: "NC A100 v4, one";
    readonly machines: 1;
    readonly payment: "upfront";
    readonly from: "2025-12-01";
    readonly to: "2026-12-01";
}];
export declare const reservationRateNc: bigint;
/** What an hour of a2-highgpu-8g cost as spot, month by month. */
export declare const spotA2: readonly Attos[];
/** Negotiated with Google: 6 % off on-demand machines. */
export declare const googleDiscountPercent = 6;
export type Purchase = "savings-plan" | "reservation" | "on-demand" | "spot";
export type Work = "training" | "steady-training" | "search" | "recommendation" | "notebooks" | "leak" | "simulation" | "builds" | "trial" | "lab";
export type Dialect = "units" | "no-units" | "windows" | "script" | "cron";
export interface Node {
    readonly name: string;
    readonly type: keyof typeof machineTypes;
    readonly resourceId: string;
    readonly purchase: Purchase;
    /** Index of the savings plan or reservation that covers it. */
    readonly commitment: number;
    readonly work: Work;
    readonly dialect: Dialect | null;
    /** The hour from which it is logged. */
    readonly loggedFrom: number;
    /** Its log is called after the instance, not the node. */
    readonly isLoggedById: boolean;
    /** The team at each hour. */
    readonly teamAt: (hour: number) => Team;
    /** 1 for every hour in which it runs. */
    readonly isOn: Uint8Array;
}
export declare const nodes: readonly Node[];
/** A workstation of their own, with logs and no bill. */
export declare const labHost: {
    readonly name: "lab-l4-01";
    readonly card: Card;
    readonly count: 2;
    readonly from: number;
    readonly dialect: "script";
};
/** How the company's storage and traffic grew: 1 in October 2025. */
export declare function growthAt(hour: number): number;
export declare function isWorkingHour(hour: number): boolean;
