CREATE TABLE "nodes" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"service_id" text collate "C" NOT NULL,
	"place" text NOT NULL,
	"pid" integer NOT NULL,
	"address" text NOT NULL,
	"secret" text NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "nodes_lease" ON "nodes" USING btree ("lease_until");