CREATE TABLE "knowledge_questions" (
	"call_id" text collate "C" NOT NULL,
	"tool_call_id" text NOT NULL,
	"knowledge_base_id" text collate "C" NOT NULL,
	"question" text NOT NULL,
	"answered" boolean NOT NULL,
	"dismissed" boolean DEFAULT false NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "knowledge_questions_call_id_tool_call_id_knowledge_base_id_pk" PRIMARY KEY("call_id","tool_call_id","knowledge_base_id")
);
--> statement-breakpoint
ALTER TABLE "knowledge_questions" ADD CONSTRAINT "knowledge_questions_call_id_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."calls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_questions" ADD CONSTRAINT "knowledge_questions_knowledge_base_id_knowledge_bases_id_fk" FOREIGN KEY ("knowledge_base_id") REFERENCES "public"."knowledge_bases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "knowledge_questions_base" ON "knowledge_questions" USING btree ("knowledge_base_id","asked_at");